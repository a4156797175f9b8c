"use strict";
// The table as the fight begins: tokens are dragged to another place, or moved with the arrow keys and Enter. A place is
// what a scenario file can say; the server sets it as it sets any other value.

const seat_of = target => target.closest && target.closest(".seat");
const places_of = seat => [...seat.closest("svg").querySelectorAll(".place")];
const x_of = element => Number(element.dataset.x), y_of = element => Number(element.dataset.y);

let boards = 0; // asked for so far

async function draw_board() {
  const mine = ++boards;
  let answer;
  try {
    answer = await fetch("/board?" + query());
  } catch {
    return; // the page says already that nobody answers
  }
  if (!answer.ok) return;
  const fresh = fragment(await answer.text()).getElementById("board");
  if (mine === boards && !dragged) patch($("board"), fresh);
}

// -------------------------------------------------------------------------------------------------------------- moving

// The place that is chosen for a token, before it is set there: shown on the board, and told.
function choose(seat, place) {
  for (const other of places_of(seat)) other.classList.toggle("here", other === place);
  seat.place = place;
  $("board-says").textContent = place ? `${seat.dataset.seat}: ${place.dataset.name}` : "";
}

function put(seat, x, y) {
  const token = seat.querySelector(".token");
  const scale = /scale\(([^)]*)\)/.exec(token.style.transform);
  if (seat.home === undefined) seat.home = token.style.transform;
  token.style.transform = `translate(${x}px, ${y}px) scale(${scale ? scale[1] : 1})`;
}

function put_back(seat) {
  if (seat.home !== undefined) seat.querySelector(".token").style.transform = seat.home;
  seat.home = undefined;
  choose(seat, null);
}

function settle(seat) {
  const place = seat.place;
  if (!place || place.dataset.name === seat.dataset.stands) { put_back(seat); return; }
  choose(seat, null);
  seat.home = undefined;
  $("board-says").textContent = `${seat.dataset.seat}: ${place.dataset.name}`;
  change({move: seat.dataset.move, to: place.dataset.to, ...(seat.dataset.line ? {line: seat.dataset.line} : {})});
}

const say_why = seat => { $("board-says").textContent = `${seat.dataset.seat} cannot be moved: ${seat.dataset.why}`; };

// -------------------------------------------------------------------------------------------------- mouse and finger

let dragged = null;

function on_board(event, svg) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

// The place under the pointer; none if it is far from all of them.
function place_at(point, seat) {
  const svg = seat.closest("svg"), spot = svg.createSVGPoint();
  spot.x = point.x;
  spot.y = point.y;
  return places_of(seat).find(place => place.isPointInFill(spot)) || null;
}

document.addEventListener("pointerdown", event => {
  const seat = seat_of(event.target);
  if (!seat || event.button !== 0 || dragged) return;
  if (!seat.dataset.move) { say_why(seat); return; }
  event.preventDefault();
  seat.focus();
  seat.classList.add("dragged");
  dragged = {seat, pointer: event.pointerId};
});

// A finger on a token moves the token and not the page; `touch-action` is not heeded inside of drawings.
document.addEventListener("touchstart", event => {
  const seat = seat_of(event.target);
  if (seat && seat.dataset.move) event.preventDefault();
}, {passive: false});

document.addEventListener("pointermove", event => {
  if (!dragged || event.pointerId !== dragged.pointer) return;
  const point = on_board(event, dragged.seat.closest("svg"));
  put(dragged.seat, point.x, point.y);
  choose(dragged.seat, place_at(point, dragged.seat));
});

document.addEventListener("pointerup", event => {
  if (!dragged || event.pointerId !== dragged.pointer) return;
  const seat = dragged.seat;
  dragged = null;
  seat.classList.remove("dragged");
  settle(seat);
});

document.addEventListener("pointercancel", event => {
  if (!dragged || event.pointerId !== dragged.pointer) return;
  dragged.seat.classList.remove("dragged");
  put_back(dragged.seat);
  dragged = null;
});

// ------------------------------------------------------------------------------------------------------------ keyboard

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function place_now(seat) {
  return seat.place || places_of(seat).find(place => place.dataset.name === seat.dataset.stands);
}

// The nearest place in a direction, where a step aside counts double.
function step_to(seat, [across, down]) {
  const now = place_now(seat);
  if (!now) return places_of(seat)[0];
  const away = place => {
    const x = x_of(place) - x_of(now), y = y_of(place) - y_of(now);
    const along = x * across + y * down, aside = Math.abs(x * down) + Math.abs(y * across);
    return along > 1 ? along + 2 * aside : Infinity;
  };
  const next = places_of(seat).reduce((best, place) => away(place) < away(best) ? place : best, now);
  return away(next) < Infinity ? next : now;
}

document.addEventListener("keydown", event => {
  const seat = seat_of(event.target);
  if (!seat) return;
  const moves = event.key in ARROWS, sets = event.key === "Enter" || event.key === " ";
  if (!moves && !sets && event.key !== "Escape") return;
  event.preventDefault();
  if (!seat.dataset.move) { say_why(seat); return; }
  if (event.key === "Escape") { put_back(seat); return; }
  if (sets) { settle(seat); return; }
  const place = step_to(seat, ARROWS[event.key]);
  put(seat, x_of(place), y_of(place));
  choose(seat, place);
});

document.addEventListener("focusout", event => {
  const seat = seat_of(event.target);
  if (seat && seat.place && !dragged) put_back(seat);
});
