"use strict";
// A fight to watch. The page holds the story and the table at the beginning; the frames say what every event changed.
// They are expanded once into the whole table after each event, so that going anywhere, also back, is an index.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MARGIN = 8; // pixels between the end of the slider and the middle of its thumb
  const SLOWEST = 2400; // milliseconds an event, divided by the speed
  const [HP, MOST, X, Y, SCALE, DOWN, COUNT, MARKS, NOTES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  let active = null; // the fight that the keys are for

  // ------------------------------------------------------------------------------------------------- what is shown

  function expanded(data) {
    const frames = [];
    let tokens = data.tokens.map(() => null);
    let notes = [];
    data.events.forEach(([round, turn, board, who, whom, changes, said], at) => {
      tokens = tokens.slice();
      for (const [row, state] of Object.entries(changes)) tokens[row] = state || null;
      notes = said || notes;
      const scene = data.scenes.findLast(one => one[0] <= at); // [event, number, name, rounds before] in an evening
      frames.push({ round, turn, board, who, whom, tokens, notes, scene });
    });
    return frames;
  }

  class Table {
    constructor(root, data, frames) {
      this.data = data;
      this.frames = frames;
      this.svg = root.querySelector("svg.board");
      this.grounds = [...root.querySelectorAll("svg.board .ground")];
      this.fallen = root.querySelector("svg.board .fallen");
      this.standing = root.querySelector("svg.board .standing");
      this.aims = root.querySelector("svg.board .aims");
      this.notes = root.querySelector(".table-notes");
      this.rows = [];
      for (const row of root.querySelectorAll(".unit")) this.rows[Number(row.dataset.token)] = row;
      this.tokens = data.tokens.map(() => null);
      const first = frames[0].tokens; // drawn in this order: the fallen of the first frame, then everybody else
      const order = first.map((_, row) => row);
      const down = order.filter(row => first[row] && first[row][DOWN]);
      const drawn = [...this.fallen.children, ...this.standing.children];
      [...down, ...order.filter(row => !down.includes(row))].forEach((row, at) => { this.tokens[row] = drawn[at]; });
      for (const token of this.tokens) {
        const change = document.createElementNS(SVG, "text");
        change.setAttribute("y", "-12");
        change.setAttribute("class", "change");
        token.append(change);
      }
    }

    words(numbers) {
      return numbers.map(number => this.data.words[number].replaceAll("_", " "));
    }

    show(at) {
      const frame = this.frames[at], before = this.frames[Math.max(at - 1, 0)];
      const [x, y, width, height] = this.data.boards[frame.board];
      this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
      this.svg.style.maxWidth = `${Math.round(1.7 * width)}px`;
      this.grounds.forEach((ground, board) => { ground.style.display = board === frame.board ? "" : "none"; });
      this.notes.textContent = frame.notes.join("; ");
      frame.tokens.forEach((state, row) => {
        this.showToken(row, state, before.tokens[row], frame);
        this.showRow(row, state, frame);
      });
      this.sort(frame);
      this.showAims(frame);
    }

    showToken(row, state, before, frame) {
      const token = this.tokens[row];
      setClasses(token, row, state, frame);
      const change = token.querySelector(".change");
      change.textContent = "";
      change.setAttribute("class", "change");
      if (!state) return;
      token.style.transform = `translate(${state[X]}px, ${state[Y]}px) scale(${state[SCALE]})`;
      token.querySelector(".health").setAttribute("stroke-dasharray", `${share(state).toPrecision(3)} 100`);
      token.querySelector(".count").textContent = state[COUNT] < 0 ? "" : `×${state[COUNT]}`;
      token.querySelector(".marks").textContent = state[MARKS].map(mark => this.data.codes[mark]).join(", ");
      const left = `${this.data.tokens[row].name}, ${state[HP]} of ${state[MOST]}`;
      const more = [...(state[DOWN] ? ["fallen"] : []), ...this.words([...state[MARKS], ...state[NOTES]])];
      token.querySelector("title").textContent = [left, ...more].join(", ");
      const by = before ? state[HP] - before[HP] : 0;
      if (by) {
        change.textContent = by < 0 ? `−${-by}` : `+${by}`;
        change.setAttribute("class", `change ${by < 0 ? "loss" : "gain"}`);
      }
    }

    showRow(at, state, frame) {
      const row = this.rows[at];
      setClasses(row, at, state, frame);
      if (!state) return;
      row.querySelector(".bar span").style.width = `${share(state)}%`;
      row.querySelector(".hp").textContent = `${state[HP]}/${state[MOST]}`;
      row.querySelector(".group").textContent = state[COUNT] < 0 ? "" : `×${state[COUNT]}`;
      row.querySelector(".state").textContent = this.words([...state[MARKS], ...state[NOTES]]).join(", ");
    }

    sort(frame) { // the fallen lie under those who stand
      const down = this.tokens.filter((_, row) => frame.tokens[row] && frame.tokens[row][DOWN]);
      if (down.length === this.fallen.children.length && down.every(token => token.parentNode === this.fallen)) return;
      this.fallen.replaceChildren(...down);
      this.standing.replaceChildren(...this.tokens.filter(token => !down.includes(token)));
    }

    showAims(frame) { // a line from who acts to those to whom it was done
      this.aims.replaceChildren();
      const from = frame.who < 0 ? null : frame.tokens[frame.who];
      if (!from) return;
      for (const row of frame.whom) {
        const to = frame.tokens[row];
        if (!to || row === frame.who) continue;
        const line = document.createElementNS(SVG, "line");
        line.setAttribute("x1", from[X]);
        line.setAttribute("y1", from[Y]);
        line.setAttribute("x2", to[X]);
        line.setAttribute("y2", to[Y]);
        this.aims.append(line);
      }
    }
  }

  function setClasses(element, row, state, frame) { // always in the same order: the same moment is the same picture
    const own = [...element.classList].slice(0, 2); // what it is, and its side
    if (!state) own.push("absent");
    else if (state[DOWN]) own.push("down");
    if (state && row === frame.who) own.push("acts");
    element.setAttribute("class", own.join(" "));
  }

  function share(state) {
    return state[MOST] > 0 ? 100 * state[HP] / state[MOST] : 0;
  }

  // ------------------------------------------------------------------------------------------------- what if from here

  class WhatIf { // asks whoever serves the page to play on from a round; where nobody does, shows the command
    constructor(root, firstEvent, run) {
      Object.assign(this, { root, firstEvent, run, round: 0 });
      this.policy = root.querySelector(".then-policy");
      this.answer = root.querySelector(".answer");
      this.button = root.querySelector(".play-on");
      this.code = root.querySelector(".command code");
      this.policy.addEventListener("change", () => this.changed());
      this.button?.addEventListener("click", () => this.ask());
      root.querySelector(".copy")?.addEventListener("click", event => this.copy(event.target));
    }

    from(round, name) { // of an evening: from a scene, which has a name
      if (round === this.round) return;
      this.round = round;
      this.root.querySelector(".from").textContent = `${this.root.dataset.what} ${round}${name ? ` (${name})` : ""}`;
      this.changed();
    }

    changed() { // an answer to another question must not stand there
      this.asking = null;
      if (this.answer) this.answer.replaceChildren();
      if (this.button) this.button.disabled = false;
      if (!this.code) return;
      const policy = this.policy.value ? ` --then-policy=${this.policy.value}` : "";
      this.code.textContent = `${this.root.dataset.command} --from-${this.root.dataset.what}=${this.round} --again=${this.root.dataset.again}${policy}`;
    }

    async ask() {
      const mine = this.asking = { round: this.round, policy: this.policy.value };
      this.button.disabled = true;
      this.say(["Playing on …"]);
      let told;
      try {
        const more = new URLSearchParams({ round: mine.round, again: this.root.dataset.again, policy: mine.policy });
        const answer = await fetch(`${this.root.dataset.address}&${more}`);
        told = await answer.json();
      } catch {
        told = { sentences: ["The studio does not answer. Has it been stopped?"] };
      }
      if (mine !== this.asking) return;
      this.button.disabled = false;
      this.say(told.sentences);
      if (!told.watch) return;
      const link = document.createElement("a");
      link.href = `${told.watch.address}#run=${this.run}&event=${this.firstEvent(mine.round)}`;
      link.textContent = told.watch.words;
      this.answer.append(link);
    }

    say(sentences) {
      this.answer.replaceChildren(...sentences.map(sentence => {
        const line = document.createElement("p");
        line.textContent = sentence;
        return line;
      }));
    }

    async copy(button) {
      try {
        await navigator.clipboard.writeText(this.code.textContent);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(this.code);
        button.textContent = "press Ctrl-C";
      }
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    }
  }

  // ------------------------------------------------------------------------------------------------- how it is moved

  class Fight {
    constructor(root) {
      this.root = root;
      this.data = JSON.parse(root.querySelector("script.frames").textContent);
      this.frames = expanded(this.data);
      this.table = new Table(root, this.data, this.frames);
      this.lines = [...root.querySelectorAll(".log li")];
      this.log = root.querySelector(".log");
      this.slider = root.querySelector(".slider");
      this.playButton = root.querySelector("[data-do=play]");
      this.toRound = root.querySelector(".to-round");
      this.speed = root.querySelector(".speed");
      this.timer = null;
      this.at = -1;
      root.classList.add("live");
      for (const hidden of root.querySelectorAll(".now, .controls, .cursor, .what-if")) hidden.hidden = false;
      const asks = root.querySelector(".what-if");
      const begins = at => this.data.scenes.length ? frame => frame.scene[1] >= at : frame => frame.round >= at;
      this.whatIf = asks && new WhatIf(asks, at => Math.max(this.frames.findIndex(begins(at)), 0), this.data.run);
      this.listen();
      this.show(0, false);
    }

    listen() {
      const root = this.root;
      const does = {
        "first": () => this.go(0), "last": () => this.go(this.last),
        "back": () => this.go(this.at - 1), "on": () => this.go(this.at + 1),
        "turn-back": () => this.step("turn", -1), "turn-on": () => this.step("turn", 1),
        "round-back": () => this.step("round", -1), "round-on": () => this.step("round", 1),
        "scene-back": () => this.step("scene", -1), "scene-on": () => this.step("scene", 1),
        "play": () => this.toggle(),
      };
      for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", does[button.dataset.do]);
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.lines.forEach((line, at) => line.addEventListener("click", () => this.go(at)));
      this.toRound.addEventListener("change", () => this.goToRound(Number(this.toRound.value)));
      root.querySelector(".show-rules").addEventListener("change", event => root.classList.toggle("rules", event.target.checked));
      for (const mark of root.querySelectorAll(".slider-marks i")) {
        mark.addEventListener("click", () => this.go(Math.round(parseFloat(mark.style.left) / 100 * this.last)));
      }
      for (const curve of root.querySelectorAll(".curve")) {
        const scrub = event => {
          const box = curve.getBoundingClientRect();
          this.go(Math.round((event.clientX - box.left) / box.width * this.last));
        };
        curve.addEventListener("pointerdown", scrub);
        curve.addEventListener("pointermove", event => { if (event.buttons) scrub(event); });
      }
      for (const kind of ["pointerdown", "focusin"]) root.addEventListener(kind, () => { active = this; });
    }

    get last() { return this.frames.length - 1; }

    go(at) { // somebody wants to be there: no more playing
      this.pause();
      this.show(at);
    }

    show(at, keep = true) {
      at = Math.min(Math.max(at, 0), this.last);
      if (at === this.at) return;
      if (this.at >= 0) this.lines[this.at].classList.remove("current");
      this.at = at;
      const frame = this.frames[at], line = this.lines[at];
      this.table.show(at);
      line.classList.add("current");
      if (line.offsetTop < this.log.scrollTop || line.offsetTop + line.offsetHeight > this.log.scrollTop + this.log.clientHeight) {
        this.log.scrollTop = line.offsetTop - this.log.clientHeight / 2;
      }
      const scene = frame.scene, begun = frame.round > (scene ? scene[3] : 0);
      const round = begun ? `Round ${frame.round}` : scene ? "Before the fight" : "Before the first round";
      const when = scene ? [`Scene ${scene[1]}: ${scene[2]}`, ...(begun ? [round] : [])] : [round];
      this.root.querySelector(".now .when").textContent = [...when, `event ${at} of ${this.last}`].join(" · ");
      this.root.querySelector(".now .said").replaceChildren(...[...line.childNodes].map(node => node.cloneNode(true)));
      this.slider.value = String(at);
      this.slider.setAttribute("aria-valuetext", `${when.join(", ")}: ${line.textContent}`);
      if (document.activeElement !== this.toRound) this.toRound.value = String(frame.round);
      for (const cursor of this.root.querySelectorAll(".cursor")) cursor.style.left = `${100 * at / Math.max(this.last, 1)}%`;
      this.showChance(scene ? scene[1] : frame.round);
      if (this.whatIf) this.whatIf.from(scene ? scene[1] : Math.max(frame.round, 1), scene ? scene[2] : "");
      if (keep) remember(this.data.run, at);
    }

    showChance(round) {
      const output = this.root.querySelector("[data-curve=chance]")?.closest(".along").querySelector("output");
      if (!output) return;
      const found = this.data.chances.findLast(one => one[0] <= Math.max(round, 1));
      const what = this.data.scenes.length ? "scene" : "round";
      output.textContent = found ? `${what} ${found[0]}: ${found[1]} % (${found[2]} to ${found[3]})` : "";
    }

    step(what, by) { // to the first event of the next turn, round or scene, or back to the beginning of this one or the last
      const scene = at => this.frames[at].scene?.[1];
      const value = at => what === "scene" ? scene(at) : `${scene(at)} ${this.frames[at][what]}`; // a round ends with its scene
      let at = this.at;
      if (by > 0) {
        while (at < this.last && value(at) === value(this.at)) at += 1;
      } else {
        at = Math.max(at - 1, 0);
        const goal = value(at);
        while (at > 0 && value(at - 1) === goal) at -= 1;
      }
      this.go(at);
    }

    goToRound(round) {
      const at = this.frames.findIndex(frame => frame.round >= round);
      this.go(at < 0 ? this.last : at);
    }

    toggle() {
      if (this.timer) this.pause();
      else this.play();
    }

    play() {
      if (this.at >= this.last) this.show(0);
      this.playButton.textContent = "❚❚ Pause";
      this.playButton.setAttribute("aria-label", "Pause");
      const tick = () => {
        this.show(this.at + 1);
        if (this.at >= this.last) this.pause();
        else this.timer = setTimeout(tick, SLOWEST / Number(this.speed.value));
      };
      this.timer = setTimeout(tick, SLOWEST / Number(this.speed.value));
    }

    pause() {
      clearTimeout(this.timer);
      this.timer = null;
      this.playButton.textContent = "▶ Play";
      this.playButton.setAttribute("aria-label", "Play");
    }

    key(event) {
      const keys = {
        "ArrowLeft": () => this.go(this.at - 1), "ArrowRight": () => this.go(this.at + 1),
        "ArrowUp": () => this.step("round", -1), "ArrowDown": () => this.step("round", 1),
        "Home": () => this.go(0), "End": () => this.go(this.last),
        " ": () => this.toggle(),
        "g": () => { this.toRound.focus(); this.toRound.select(); },
      };
      const digit = /^[0-9]$/.test(event.key);
      if (!digit && !(event.key in keys)) return;
      event.preventDefault();
      if (digit) this.speed.value = event.key === "0" ? "10" : event.key;
      else keys[event.key]();
    }
  }

  // ------------------------------------------------------------------------------------------------- keys and address

  function remember(run, at) {
    try {
      history.replaceState(null, "", `#run=${run}&event=${at}`);
    } catch { /* a page inside another one has no address of its own */ }
  }

  function wanted() {
    const words = new URLSearchParams(location.hash.slice(1));
    const [run, event] = [words.get("run"), words.get("event")];
    return run !== null && /^\d+$/.test(event ?? "") ? { run, event: Number(event) } : null;
  }

  document.addEventListener("keydown", event => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    const typing = target.matches?.("input[type=number], input[type=text], textarea, select");
    if (typing && event.key === "Enter") target.blur();
    if (typing || (event.key === " " && target.matches?.("button, summary, a, input[type=checkbox]"))) return;
    if (document.body.classList.contains("replay") || active.root.contains(target)) active.key(event);
  });

  const fights = new Map();

  function open(root) {
    if (!fights.has(root)) fights.set(root, new Fight(root));
    return fights.get(root);
  }

  function goWhereTheAddressSays() {
    const place = wanted();
    const root = place && [...document.querySelectorAll(".fight[data-run]")].find(one => one.dataset.run === place.run);
    if (!root) return;
    const folded = root.closest("details");
    if (folded) folded.open = true;
    active = open(root);
    active.go(place.event);
    if (folded) root.scrollIntoView();
  }

  for (const root of document.querySelectorAll(".fight[data-run]")) {
    const folded = root.closest("details");
    if (folded) folded.addEventListener("toggle", () => { if (folded.open) active = open(root); });
    else active = open(root);
  }
  window.addEventListener("hashchange", goWhereTheAddressSays);
  goWhereTheAddressSays();
})();
