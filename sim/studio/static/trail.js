"use strict";
// What was on the table in this tab, step by step, and at which step the page is. This is kept for the tab and not for the
// page: whoever comes back from a replay, a question or the list of fights can still undo. The browser's own back and
// forward go through what was shown, and find their step here.
const MOST_STEPS = 300;

function trail() {
  try {
    const found = JSON.parse(sessionStorage.getItem("trail"));
    if (Array.isArray(found.steps) && found.steps.length) return found;
  } catch { /* nothing yet */ }
  return {steps: [], at: -1};
}

function remember(steps, at) {
  const gone = Math.max(0, steps.length - MOST_STEPS);
  sessionStorage.setItem("trail", JSON.stringify({steps: steps.slice(gone), at: at - gone}));
  return at - gone;
}

// After a change: what could be redone is no more. A slider that is still being turned is one step.
function made(replaces) {
  const {steps, at} = trail(), before = steps.slice(0, replaces ? at : at + 1);
  return remember([...before, query()], before.length);
}

// Whether the page shows the step it is at: then nothing was changed.
function is_here() {
  const {steps, at} = trail();
  return steps[at] === query();
}

function gone_to(step) {
  const {steps} = trail();
  steps[step] = query(); // as the server writes it
  return remember(steps, step);
}

// The page is here, whichever way somebody came: at a step of the trail (the nearest, if it is there twice), with a change
// made elsewhere (a value taken over from an answer), or with another fight, whose trail begins.
function arrive() {
  const {steps, at} = trail(), here = query(), said = history.state && history.state.step;
  const same = steps.map((step, place) => step === here ? place : -1).filter(place => place >= 0);
  let step;
  if (steps[said] === here) step = remember(steps, said);
  else if (same.length) step = remember(steps, same.reduce((one, other) => Math.abs(other - at) < Math.abs(one - at) ? other : one));
  else if (steps.length && fight_of(steps[at]) === fight_of(here)) step = made(false);
  else step = remember([here], 0);
  history.replaceState({step}, "", "/fight?" + here);
}

const fight_of = step => new URLSearchParams(step).get("fight");

function steps() {
  if (!$("undo")) return;
  const {steps, at} = trail();
  $("undo").disabled = at <= 0;
  $("redo").disabled = at >= steps.length - 1;
}
