"use strict";
// The page is its address: a change asks the server for the page at the new address and puts it in place of the old one.
// Numbers come as a stream of server-sent events, which ends when they are known well enough.

const main = () => document.getElementById("main");
const query = () => main().dataset.query || "";
const $ = id => document.getElementById(id);

// ---------------------------------------------------------------------------------------------------------- new pages

// Puts what is new into what is there, and leaves alone what is the same: focus, open parts and sliders stay. What
// somebody is doing is noted on the element itself: `touched` (opened or closed by hand), `turning` (a slider), `typing`,
// and `own` (a name that somebody has chosen).
function patch(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || (old.id || "") !== (fresh.id || "")) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && !(name === "open" || name === "hidden" && old.classList.contains("about"))) old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    if (name === "open" && old.touched) continue;
    if (name === "hidden" && old.classList.contains("about")) continue;
    if (name === "aria-expanded" && old.classList.contains("help")) continue;
    if (old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
  }
  const held = is_waited_for(old) || old === document.activeElement && (old.turning || old.matches("textarea, input:not([type=checkbox], [type=range])") && old.typing);
  const here = [...old.childNodes], there = [...fresh.childNodes];
  for (let at = 0; at < there.length; at++) {
    if (at < here.length) patch(here[at], there[at]);
    else old.append(there[at]);
  }
  for (const gone of here.slice(there.length)) gone.remove();
  if (held || old.own) return;
  if (old.nodeName === "INPUT") {
    if (old.type === "checkbox") old.checked = fresh.hasAttribute("checked");
    else if (old.value !== (fresh.getAttribute("value") || "")) old.value = fresh.getAttribute("value") || "";
  }
  if (old.nodeName === "TEXTAREA" && old.value !== fresh.textContent) old.value = fresh.textContent;
  if (old.nodeName === "SELECT") {
    const chosen = [...old.options].find(option => option.hasAttribute("selected"));
    if (chosen) old.value = chosen.value;
  }
}

// Whether a later value of this number is on its way: a slider that is turned faster than the server answers keeps it.
function is_waited_for(element) {
  const row = element.nodeName === "INPUT" && element.closest("[data-path]");
  return Boolean(row) && waiting.some(one => one.key === row.dataset.path);
}

function fragment(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

// Changes are made one after the other, each to what the one before has left. Of several values for one number that
// wait, only the last is asked for.
let waiting = [], busy = false, asking = null;

async function make(ask, how, key) {
  const same = key && waiting.find(one => one.key === key);
  if (same) same.ask = ask;
  else waiting.push({ask, how, key});
  if (busy) return;
  busy = true;
  try {
    while (waiting.length) {
      const next = waiting.shift(), asked = next.ask();
      if (asked !== undefined) await load(asked, typeof next.how === "function" ? next.how() : next.how);
    }
  } finally {
    busy = false;
  }
}

const show = (asked, how) => make(() => asked, how);
const change = (more, how, key) => make(() => query() + "&" + new URLSearchParams(more), how, key);

async function load(asked, how) {
  const mine = asking = new AbortController();
  let answer;
  try {
    answer = await fetch("/fight?" + asked, {signal: mine.signal});
  } catch (error) {
    if (error.name !== "AbortError") gone(true);
    return;
  }
  if (answer.status === 403) { gone(true); return; }
  const page = fragment(await answer.text());
  if (mine.signal.aborted) return;
  gone(false);
  const fresh = page.getElementById("main");
  const board = $("board"), newBoard = fresh.querySelector("#board");
  if (board && newBoard) newBoard.replaceWith(board.cloneNode(true)); // as it was, until it is drawn anew
  const figures = $("figures"), newFigures = fresh.querySelector("#figures");
  if (figures && newFigures && how !== "same") {
    figures.classList.add("stale"); // those of the fight before, until the new ones are drawn
    newFigures.replaceWith(figures.cloneNode(true));
  }
  patch(main(), fresh);
  document.title = page.title;
  if (how === "same" || typeof how !== "number" && is_here()) arrive();
  else {
    const step = typeof how === "number" ? gone_to(how) : made(how === "replace");
    if (how === "replace") history.replaceState({step}, "", "/fight?" + query());
    else history.pushState({step}, "", "/fight?" + query());
  }
  steps();
  watch();
  draw_board();
  if ($("to-ask")) $("to-ask").href = "/ask?" + query();
  if ($("around") && !$("around").hidden) draw();
}

// ------------------------------------------------------------------------------------------------------- undo and redo

function go(by) {
  const to = () => trail().at + by;
  make(() => trail().steps[to()], to);
}

window.addEventListener("popstate", () => {
  if (location.pathname !== "/fight" || main().dataset.query === undefined) return;
  waiting = [];
  if (asking) asking.abort();
  show(location.search.slice(1), "same");
});

window.addEventListener("pageshow", event => {
  if (event.persisted && main().dataset.query !== undefined) { arrive(); steps(); watch(); } // as it was left
});

// --------------------------------------------------------------------------------------------------------------- watch

let stream = null;

function gone(is) {
  $("gone").hidden = !is;
}

function watch() {
  if (stream) stream.close();
  stream = null;
  if (main().dataset.query === undefined || document.hidden) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches ? "&still=1" : ""; // figures only at rest
  const mine = stream = new EventSource("/watch?" + query() + still);
  mine.onmessage = event => {
    if (mine !== stream) return;
    gone(false);
    const told = JSON.parse(event.data);
    if (told.over) { mine.close(); return; }
    if (told.html) {
      patch($("news"), fragment(told.html).getElementById("news"));
      if (told.resting) $("spoken").textContent = $("verdict").textContent;
    }
    if (told.figures) {
      $("figures").classList.remove("stale");
      patch($("figures"), fragment(told.figures).getElementById("figures"));
    }
    if (told.problem) $("told").textContent = told.problem;
  };
  mine.onerror = () => {
    if (mine !== stream) return;
    gone(true);
    mine.close();
    setTimeout(() => { if (mine === stream) watch(); }, 2000);
  };
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) { if (stream) stream.close(); stream = null; }
  else if (main().dataset.query !== undefined) show(location.search.slice(1), "same");
});

// ---------------------------------------------------------------------------------------------------------------- edit

// What stands in a field, as `--set` takes it.
function typed(element) {
  if (element.type === "checkbox") return element.checked ? "true" : "false";
  if (element.dataset.list !== undefined) return element.value.trim() === "" ? "[]" : "[" + element.value + "]";
  if (element.dataset.text !== undefined) return JSON.stringify(element.value);
  return element.value;
}

// The names of a list, without the one that is taken away and with the one that is added.
function names(group, away) {
  const there = [...group.querySelectorAll("[data-name]")].filter(name => name !== away).map(name => name.dataset.name);
  const chosen = [...there, group.querySelector("select").value].filter(Boolean);
  return "[" + chosen.map(name => JSON.stringify(name)).join(", ") + "]";
}

let turning = null;

function turn(slider, last) {
  const box = slider.parentElement.querySelector("input.number");
  const path = slider.closest("[data-path]").dataset.path;
  slider.turning = true;
  box.value = slider.value;
  clearTimeout(turning);
  const set = () => {
    const first = !slider.turned;
    slider.turned = true;
    change({path, value: slider.value}, first ? "push" : "replace", path);
    if (last) slider.turned = slider.turning = false;
  };
  if (last) set(); else turning = setTimeout(set, 80);
}

document.addEventListener("input", event => {
  const element = event.target;
  if (element.type === "range" && element.closest("[data-path]")) turn(element, false);
  else if (element.id === "search") search(element.value);
  else if (element.matches("input, textarea")) element.typing = true;
});

document.addEventListener("change", event => {
  const element = event.target;
  element.typing = false;
  if (element.id === "save-name") element.own = true;
  if (element.id === "precision" || element.id === "seed" || element.id === "target") {
    const value = element.id === "target" ? String(Number(element.value) / 100) : element.value;
    with_more(`${element.id}=${encodeURIComponent(value)}`);
    return;
  }
  if (element.dataset.add) {
    if (element.value) change({add: element.dataset.add, value: element.value});
    return;
  }
  if (element.matches(".question select[name=knob]")) around_it(element);
  const row = element.closest("[data-path]");
  if (!row) return;
  const path = row.dataset.path, group = element.closest(".names");
  if (group) change({path, value: names(group)});
  else if (element.type === "range") turn(element, true);
  else change({path, value: typed(element), ...(element.dataset.text !== undefined ? {text: "1"} : {})});
});

document.addEventListener("click", event => {
  const button = event.target.closest("button, summary");
  if (!button) return;
  const data = button.dataset;
  if (button.nodeName === "SUMMARY") button.parentElement.touched = true;
  else if (button.id === "undo") go(-1);
  else if (button.id === "redo") go(+1);
  else if (data.back) change({path: data.back, back: "1"});
  else if (data.name) change({path: button.closest("[data-path]").dataset.path, value: names(button.parentElement, button)});
  else if (data.remove) change({remove: data.remove});
  else if (data.go) show(data.go);
  else if (data.with) with_more(data.with);
  else if (data.copy !== undefined) copy(button);
  else if (data.scroll) { $(data.scroll).scrollIntoView(); $("save-name").focus({preventScroll: true}); }
  else if (data.set) change({path: data.set, value: data.value});
  else if (data.around) around(button, true);
  else if (data.replaces) save(data.replaces);
  else if (button.id === "around-close") close_around();
  else if (button.classList.contains("help")) help(button);
});

// The same page with one more wish: 'against=1' is part of the address, 'drop=1' is done once.
function with_more(wish) {
  make(() => {
    const now = new URLSearchParams(query());
    for (const [name, value] of new URLSearchParams(wish)) now.set(name, value);
    return now.toString();
  });
}

function help(button) {
  const text = $(button.getAttribute("aria-controls"));
  text.hidden = !text.hidden;
  button.setAttribute("aria-expanded", String(!text.hidden));
}

async function copy(button) {
  const text = button.parentElement.querySelector("code").textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    button.textContent = "press Ctrl-C";
  }
  setTimeout(() => { button.textContent = "copy"; }, 2000);
}

document.addEventListener("submit", event => {
  if (event.target.id === "save") { event.preventDefault(); save(""); }
  if (event.target.id !== "anything") return;
  event.preventDefault();
  const box = $("setting");
  if (box.value.includes("=")) change({setting: box.value});
  box.value = "";
});

document.addEventListener("keydown", event => {
  const command = event.ctrlKey || event.metaKey;
  if (!command || !$("undo") || event.target.matches("input:not([type=range], [type=checkbox]), textarea")) return;
  if (event.key === "z" && !event.shiftKey && !$("undo").disabled) { event.preventDefault(); go(-1); }
  if ((event.key === "y" || event.key === "Z") && !$("redo").disabled) { event.preventDefault(); go(+1); }
});

// ----------------------------------------------------------------------------------------------------------- take away

async function save(replaces) {
  const body = new URLSearchParams({address: query(), name: $("save-name").value, replaces});
  try {
    const answer = await fetch("/save", {method: "POST", body});
    patch($("saved"), fragment(await answer.text()).getElementById("saved"));
  } catch {
    gone(true);
  }
}

// --------------------------------------------------------------------------------------------------- around the number

const ROOM = 430; // pixels that a curve with its buttons takes
let curve = null, curve_path = "", hovering = null, opener = null;

// `pinned`: by a press, so that it stays, and the focus goes along; it comes back when the curve is closed.
function around(button, pinned) {
  const box = $("around"), path = button.dataset.around;
  if (pinned && !box.hidden && curve_path === path && box.dataset.pinned) { close_around(); return; }
  if (curve) curve.close();
  if (curve_path !== path) $("around-curve").replaceChildren(); // that of another number
  curve_path = path;
  opener = button.id;
  const row = button.closest(".field").getBoundingClientRect(), below = innerHeight - row.bottom;
  box.classList.toggle("above", below < ROOM && row.top > below); // or nobody would see it
  if (pinned) box.dataset.pinned = "1"; else delete box.dataset.pinned;
  box.hidden = false;
  place_around();
  if (pinned) box.focus({preventScroll: true});
  draw();
}

// Beside its number, also when something above it has grown: figures come after the numbers, and on a phone stand above.
function place_around() {
  const box = $("around"), button = opener && $(opener);
  if (!box || box.hidden || !button) return;
  const row = button.closest(".field").getBoundingClientRect();
  box.style.top = `${(box.classList.contains("above") ? row.top - 2 : row.bottom + 2) + scrollY}px`;
  box.style.left = `${Math.max(8, Math.min(row.left + scrollX, innerWidth - 380))}px`;
}

new ResizeObserver(place_around).observe(document.body);

function draw() {
  if (curve) curve.close();
  const mine = curve = new EventSource(`/around?${query()}&${new URLSearchParams({path: curve_path})}`);
  mine.onmessage = event => {
    const told = JSON.parse(event.data);
    if (mine !== curve || told.over) { mine.close(); return; }
    if (!told.html) return;
    const inside = $("around").contains(document.activeElement);
    patch($("around-curve"), fragment(told.html).getElementById("around-curve"));
    if (inside && (document.activeElement === document.body || document.activeElement.disabled)) $("around").focus();
  };
  mine.onerror = () => mine.close();
}

function close_around() {
  if (curve) curve.close();
  curve = null;
  if (!$("around") || $("around").hidden) return;
  const back = $("around").contains(document.activeElement) && $(opener);
  $("around").hidden = true;
  if (back) back.focus();
}

document.addEventListener("mouseover", event => {
  const row = event.target.closest("[data-turns]");
  clearTimeout(hovering);
  if (event.target.closest("#around") || $("around") && $("around").dataset.pinned && !$("around").hidden) return;
  if (row && event.target.matches("input.number, .around")) {
    hovering = setTimeout(() => around(row.querySelector(".around"), false), 700);
  } else if ($("around") && !$("around").hidden) {
    hovering = setTimeout(close_around, 400);
  }
});

document.addEventListener("keydown", event => {
  if (event.key === "Escape") close_around();
});

// ----------------------------------------------------------------------------------------------------------------- ask

function follow_questions() {
  const mine = new EventSource("/ask/news?" + main().dataset.ask);
  mine.onmessage = event => {
    gone(false);
    const told = JSON.parse(event.data);
    if (told.over) { mine.close(); return; }
    if (told.html) patch($("queue"), fragment(told.html).getElementById("queue"));
  };
  mine.onerror = () => { mine.close(); gone(true); setTimeout(follow_questions, 2000); };
}

// A sweep begins with the values around the number that was chosen.
function around_it(knob) {
  const {low, high} = knob.selectedOptions[0].dataset;
  const [first, last] = knob.closest("form").querySelectorAll(".span input");
  if (low === undefined || !first) return;
  first.value = low;
  last.value = high;
}

// -------------------------------------------------------------------------------------------------------------- choose

function search(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const choice of document.querySelectorAll(".choice")) {
    const game = choice.closest("section").querySelector("h2").textContent;
    const text = (choice.textContent + " " + game).toLowerCase();
    choice.hidden = !wanted.every(word => text.includes(word));
    if (!choice.hidden) found++;
  }
  for (const section of document.querySelectorAll("section.choose")) {
    section.hidden = wanted.length > 0 && !section.querySelector(".choice:not([hidden])");
  }
  $("found").textContent = wanted.length ? found + (found === 1 ? " fight" : " fights") : "";
}

// --------------------------------------------------------------------------------------------------------------- begin

if (main().dataset.query !== undefined) {
  arrive();
  steps();
  watch();
  draw_board();
}
if (main().dataset.ask !== undefined) follow_questions();
