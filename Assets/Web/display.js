// The turn display: who is called, who is next and when.

import { age, clock, isNews, milliseconds, number, start } from "/web/device.js";
import { chime } from "/web/sounds.js";
import { known, text } from "/web/words.js";

const PAGE = 2;
/** How long a page of called numbers stands; a called number comes again within 20 seconds. */
const TURN = 4000;
const CYCLE = 20000;
const SHORTEST_TURN = 1500;
/** How long a new call is pointed out. */
const FRESH = 10000;
/** News older than this are shown with their age, and then not at all. */
const STALE = 15000;
const LOST = 60000;
/** Digits of a height to be read from 15 m (EN 301 549 5.1.4): 18 cm of a 43-inch screen's 53, or 95. */
const HEIGHT = { landscape: 0.35, portrait: 0.215 };

const part = (id) => document.getElementById(id);

let news = null;
let languages = ["en"];
let started = null;
/** When each call was first seen here, by number and time of the call. */
let seen = new Map();
let page = 0;
let turned = 0;
let shown = "";

const callName = (turn) => `${turn.number} ${turn.since}`;

/** Takes a message of the feed; what is old or a repetition changes nothing. */
export function take(message) {
  if (!isNews(message)) return;
  const now = performance.now();
  const before = seen;
  seen = new Map();
  let isNew = false;
  for (const turn of message.called) {
    const name = callName(turn);
    const called = milliseconds(message.now) - milliseconds(turn.since);
    // At the first message, and after a gap, only what was called just now is new.
    const first = before.get(name) ?? now - Math.max(0, called);
    if (!before.has(name) && now - first < FRESH) isNew = true;
    seen.set(name, first);
  }
  news = message;
  languages = known(message.languages);
  if (isNew) {
    page = 0;
    turned = now;
    chime();
  }
  draw();
}

function pages() { return Math.max(1, Math.ceil((news?.called.length ?? 0) / PAGE)); }

function turnTime() { return Math.max(SHORTEST_TURN, Math.min(TURN, CYCLE / pages())); }

/** The language of the moment: each stands for two turns of four seconds. */
function language(now) { return languages[Math.floor(now / (2 * TURN)) % languages.length]; }

// MARK: Drawing

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

let capital = 0;

/** Digits of exactly the wanted height, narrower where they would not fit. */
function digits(value, width) {
  const wanted = innerHeight * (innerWidth > innerHeight ? HEIGHT.landscape : HEIGHT.portrait);
  if (!capital) {
    const paper = document.createElement("canvas").getContext("2d");
    paper.font = `bold 1000px ${getComputedStyle(document.body).fontFamily}`;
    const size = paper.measureText("0123456789");
    capital = Math.min(size.actualBoundingBoxAscent, paper.measureText("1").actualBoundingBoxAscent) / 1000;
  }
  const size = wanted / capital;
  const line = element("span", { textContent: value });
  line.style.fontSize = `${size}px`;
  line.style.height = `${wanted * 1.04}px`;
  line.style.lineHeight = `${wanted * 1.04}px`;
  const box = element("div", { className: "digits" }, line);
  requestAnimationFrame(() => {
    const needed = line.getBoundingClientRect().width;
    if (needed > width) line.style.transform = `scaleX(${width / needed})`;
  });
  return box;
}

function turnRow(turn, now, words) {
  const row = element("div", { className: "turn" });
  row.dataset.number = turn.number;
  if (now - seen.get(callName(turn)) < FRESH) row.classList.add("new");
  const line = `${text("called", words)} ${text("until", words, { time: clock(turn.enterBy) })}`;
  const width = part("called").clientWidth * 0.94;
  row.append(
    digits(number(turn.number), width),
    element("p", {},
      element("span", { className: "mark", textContent: "▶ " }), line,
      element("span", { className: "mark", textContent: " ◀" })));
  return row;
}

function drawCalled(now, words) {
  const all = news.called.slice(page * PAGE, page * PAGE + PAGE);
  const rows = all.map((turn) => turnRow(turn, now, words));
  if (!rows.length) {
    const lines = [text(news.open ? "nobody" : "closed", words)];
    if (!news.open && news.opens) lines[0] += ` · ${text("opens", words, { time: clock(news.opens) })}`;
    // A backend without the fact closes all the same.
    if (news.callsEnded ?? !news.open) lines.push(text("callsEnded", words));
    rows.push(element("div", { id: "nobody" }, ...lines.map((line) => element("p", { textContent: line }))));
  }
  part("called").replaceChildren(...rows);
}

/** A clock time as honest as it is far away. */
function roughly(at, now) {
  const minutes = (milliseconds(at) - milliseconds(now)) / 60000;
  return clock(at, { minutes: minutes > 20 ? 5 : 1 });
}

/** Tickets and visits in the order of their times. */
function nextRows(words) {
  const tickets = news.next.map((turn) => ({
    number: turn.number, at: turn.wait.expected, words: text("about", words),
  }));
  const visits = news.visits.map((turn) => ({
    number: turn.number, at: turn.start, words: text("visit", words), isVisit: true,
  }));
  return [...tickets, ...visits]
    .sort((one, other) => milliseconds(one.at) - milliseconds(other.at) || one.number - other.number)
    .slice(0, 8)
    .map((turn) => element("tr", {},
      element("td", { textContent: number(turn.number) }),
      element("td", {},
        element("small", { textContent: `${turn.words} ` }),
        turn.isVisit ? clock(turn.at) : roughly(turn.at, news.now))));
}

function offer(words) {
  if (!news.wait) return text("noTicket", words);
  const begin = roughly(news.wait.earliest, news.now);
  const end = roughly(news.wait.latest, news.now);
  if (milliseconds(news.wait.latest) - milliseconds(news.now) < 60000) return text("noWait", words);
  return begin === end ? `${text("about", words)} ${begin}` : `${begin} – ${end}`;
}

function draw() {
  if (!news) return;
  const now = performance.now();
  const words = language(now);
  document.documentElement.lang = words;
  page %= pages();
  part("shop").textContent = news.shopName;
  part("next-title").textContent = text("next", words);
  part("next").replaceChildren(...nextRows(words));
  part("offer-title").textContent = text("newTicket", words);
  part("offer-wait").textContent = offer(words);
  drawCalled(now, words);
  tick();
}

/** What changes by itself: clock, age, pages, languages. */
function tick() {
  const now = performance.now();
  // Before the first news the page's own start counts.
  const old = news ? age() : now - started;
  const isLost = old >= LOST;
  part("board").hidden = isLost || !news;
  part("ask").hidden = !isLost;
  if (isLost) {
    const lines = languages.map((words) => text("askStaff", words));
    if (part("ask").textContent !== lines.join("")) {
      part("ask").replaceChildren(...lines.map((line) => element("p", { textContent: line })));
    }
  }
  if (!news) return;
  const words = language(now);
  const band = part("band");
  band.hidden = old < STALE;
  if (!band.hidden) band.textContent = text("old", words, { seconds: Math.floor(old / 1000) });
  part("clock").textContent = clock(news.now, { later: age() });
}

setInterval(() => {
  if (started === null) return;
  const now = performance.now();
  if (now - turned >= turnTime()) {
    page = (page + 1) % pages();
    turned = now;
    shown = "";
  }
  const fresh = news?.called.filter((turn) => now - seen.get(callName(turn)) < FRESH).length;
  const present = `${page} ${language(now)} ${fresh}`;
  if (present !== shown) {
    shown = present;
    draw();
  }
  tick();
}, 250);

addEventListener("resize", draw);

start((shop) => {
  started = performance.now();
  languages = known(shop.languages);
  document.title = `${shop.shopName}: display`;
}, take);
