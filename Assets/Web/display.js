// The turn display: the numbers that are called, the next ones and their times.

import { age, clock, isNews, milliseconds, number, start } from "/web/device.js";
import { element } from "/web/parts.js";
import { chime } from "/web/sounds.js";
import { known, spelled, text } from "/web/words.js";

/** How long a page of called numbers is shown; a called number comes again within 20 seconds. */
const TURN = 4000;
const CYCLE = 20000;
const SHORTEST_TURN = 1500;
/** How long a new call is highlighted. */
const FRESH = 10000;
/** Messages older than this are shown with their age, and later not at all. */
const STALE = 15000;
const LOST = 60000;
/** Digits of a height to be read from 15 m (EN 301 549 5.1.4): 18 cm and more of a 43-inch screen's 53, or 95. */
const HEIGHT = { landscape: 0.345, portrait: 0.193 };
/** The part of it on an upright screen with orders, 15 cm, so that the list of waiting numbers keeps three rows. */
const BESIDE_ORDERS = 0.86;
/** Columns and rows of a page of called numbers, and up to how many calls: all come again within the cycle. */
const LAYOUTS = [
  { columns: 1, rows: 1, most: 1 }, { columns: 1, rows: 2, most: 8 }, { columns: 2, rows: 3, most: 30 }, { columns: 2, rows: 6, most: 96 },
  { columns: 3, rows: 6, most: Infinity },
];
/** As many called orders are shown at once, below or beside each other. */
const MOST_ORDERS = { landscape: 4, portrait: 3 };
/** Digits of the list to be read from 5 m: 20 minutes of arc (ISO 9241-303), 2.9 cm; with a little more. */
const LIST_HEIGHT = { landscape: 0.056, portrait: 0.0315 };
/** Every number of the list is shown within a minute; a page of it is shown for this long. */
const LIST_CYCLE = 56000;
const LIST_TURN = 4000;
const SHORTEST_LIST_TURN = 2500;

/** The invitation's side as a share of the screen's shorter one, with and without a list; its quiet zone in modules. */
const INVITATION = { list: 0.14, empty: 0.28 };
const QUIET_ZONE = 4;

const part = (id) => document.getElementById(id);

let news = null;
let languages = ["en"];
let started = null;
/** When each call was first seen here, by number and time of the call. */
let seen = new Map();
let page = 0;
let turned = 0;
let orderPage = 0;
let listPage = 0;
let listPages = 1;
let listTurned = 0;
let shown = "";
/** The rows of the invitation that is drawn. */
let invited = "";

/** What distinguishes a call from every other one, of a ticket or of an order. */
const callName = (turn) => `${turn.desk === undefined ? "" : "C-"}${turn.number} ${turn.since}`;
const calls = ({ called, orders }) => [...called, ...(orders ?? [])];
const isFresh = (turn, now) => now - seen.get(callName(turn)) < FRESH;

/** Takes a message of the feed; an old or repeated one changes nothing. */
export function take(message) {
  if (!isNews(message)) return;
  const now = performance.now();
  const before = seen;
  seen = new Map();
  let isNew = false;
  for (const turn of calls(message)) {
    const name = callName(turn);
    const called = milliseconds(message.now) - milliseconds(turn.since);
    // At the first message, and after a gap, only calls of the last moments are new.
    const first = before.get(name) ?? now - Math.max(0, called);
    if (!before.has(name) && now - first < FRESH) isNew = true;
    seen.set(name, first);
  }
  news = message;
  languages = known(message.languages);
  if (isNew) {
    page = 0;
    orderPage = 0;
    turned = now;
    chime();
  }
  draw();
}

function layout() { return LAYOUTS.find(({ most }) => (news?.called.length ?? 0) <= most); }

function pages() {
  const { columns, rows } = layout();
  return Math.max(1, Math.ceil((news?.called.length ?? 0) / (columns * rows)));
}

const isUpright = () => innerHeight >= innerWidth;
const share = ({ landscape, portrait }) => innerHeight * (isUpright() ? portrait : landscape);

function turnTime() { return Math.max(SHORTEST_TURN, Math.min(TURN, CYCLE / Math.max(pages(), orderPages()))); }

/** The present language: each is shown for two turns of four seconds. */
function language(now) { return languages[Math.floor(now / (2 * TURN)) % languages.length]; }

// MARK: Drawing

let measuring;

/** The size of bold text, as a fraction of the font size: known before it is drawn. */
function measured(value) {
  if (!measuring) {
    measuring = document.createElement("canvas").getContext("2d");
    measuring.font = `700 1000px ${getComputedStyle(document.body).fontFamily}`;
  }
  const { width, actualBoundingBoxAscent } = measuring.measureText(value);
  return { width: width / 1000, height: actualBoundingBoxAscent / 1000 };
}

/** The height of digits as a fraction of the font size; round ones are a little higher than the 1. */
function capitalHeight() { return measured("1").height; }

/** Digits of exactly the wanted height, narrower if they would not fit. */
function digits(value, width, wanted) {
  const size = wanted / capitalHeight();
  const line = element("span", { textContent: value });
  line.style.fontSize = `${size}px`;
  line.style.height = `${wanted * 1.04}px`;
  line.style.lineHeight = `${wanted * 1.04}px`;
  const box = element("div", { className: "digits" }, line);
  const needed = measured(value).width * size;
  if (needed > width) line.style.transform = `scaleX(${width / needed})`;
  return box;
}

/** Makes the letters of a line smaller if they would not fit. */
function fit(line) {
  line.style.fontSize = "";
  const wide = line.scrollWidth / line.clientWidth;
  if (wide > 1) line.style.fontSize = `${parseFloat(getComputedStyle(line).fontSize) / wide * 0.98}px`;
}

function turnRow(turn, now, words, { columns, rows }) {
  const row = element("div", { className: "turn" });
  row.dataset.number = turn.number;
  row.classList.toggle("new", isFresh(turn, now));
  const until = text("until", words, { time: clock(turn.enterBy) });
  const line = columns === 1 ? `${text("called", words)} ${until}` : until;
  const { clientWidth, clientHeight } = part("called");
  const width = clientWidth / columns * 0.92;
  // As large as all of them can be; a single one has the whole width.
  const wanted = columns > 1 ? Math.min((rows > 3 ? 0.5 : 0.54) * clientHeight / rows, 0.31 * clientWidth / columns)
    : Math.max(share(HEIGHT) * (isUpright() && news.orders?.length ? BESIDE_ORDERS : 1), rows === 1 ? Math.min(0.5 * clientHeight, 0.33 * clientWidth) : 0);
  row.append(
    digits(number(turn.number), width, wanted),
    element("p", {},
      element("span", { className: "mark", textContent: "▶ " }), line,
      element("span", { className: "mark", textContent: " ◀" })));
  return row;
}

function drawCalled(now, words) {
  const shape = layout();
  // The last page is filled up with the newest calls, so that no place stays empty.
  const count = news.called.length;
  const size = Math.min(shape.columns * shape.rows, count);
  const rows = Array.from({ length: size }, (_, index) =>
    turnRow(news.called[(page * size + index) % count], now, words, shape));
  part("called").style.gridTemplate = `repeat(${shape.rows}, minmax(0, 1fr)) / repeat(${shape.columns}, minmax(0, 1fr))`;
  part("called").dataset.columns = String(shape.columns);
  part("called").dataset.rows = String(shape.rows);
  if (!rows.length) {
    const lines = [element("p", { textContent: text(news.open ? "nobody" : "closed", words) })];
    if (!news.open && news.opens) {
      lines.push(element("p", { textContent: text("opens", words, { time: clock(news.opens) }) }));
    }
    // A backend that does not send the field closes too.
    if (news.callsEnded ?? !news.open) {
      lines.push(element("p", { className: "ended", textContent: text("callsEnded", words) }));
    }
    rows.push(element("div", { id: "nobody" }, ...lines));
  }
  part("called").replaceChildren(...rows);
  part("called").querySelectorAll(".turn p").forEach(fit);
}

function orderRow({ number: value, desk, since }, now, words, { columns, rows }) {
  const row = element("div", { className: "turn" });
  const name = `C-${number(value)}`;
  row.dataset.number = name;
  row.classList.toggle("new", isFresh({ number: value, desk, since }, now));
  const { clientWidth, clientHeight } = part("orders");
  const width = clientWidth / columns * 0.84;
  const wanted = Math.min(0.45 * clientHeight / rows, width / measured(name).width * capitalHeight());
  // The number of the desk is as important as that of the order.
  const [before, after] = text("desk", words, { desk: "\n" }).split("\n");
  row.append(
    digits(name, width, wanted),
    element("p", {},
      element("span", { className: "mark", textContent: "▶ " }), before,
      element("span", { className: "desk", textContent: String(desk) }), after,
      element("span", { className: "mark", textContent: " ◀" })));
  return row;
}

const mostOrders = () => isUpright() ? MOST_ORDERS.portrait : MOST_ORDERS.landscape;
const orderPages = () => Math.max(1, Math.ceil((news?.orders?.length ?? 0) / mostOrders()));

/** The orders that are called to a desk, newest first; more than fit take turns. */
function drawOrders(now, words) {
  const orders = news.orders ?? [];
  part("orders").hidden = orders.length === 0;
  part("board").classList.toggle("ordering", orders.length > 0);
  if (!orders.length) return part("orders").replaceChildren();
  const size = Math.min(mostOrders(), orders.length);
  const shape = isUpright() ? { columns: size, rows: 1 } : { columns: 1, rows: size };
  part("orders").style.gridTemplate = `repeat(${shape.rows}, minmax(0, 1fr)) / repeat(${shape.columns}, minmax(0, 1fr))`;
  orderPage %= orderPages();
  part("orders").replaceChildren(...Array.from({ length: size }, (_, index) =>
    orderRow(orders[(orderPage * size + index) % orders.length], now, words, shape)));
  part("orders").querySelectorAll(".turn p").forEach(fit);
}

/** A clock time that is rounded more the further away it is. */
function roughly(at, now) {
  const minutes = (milliseconds(at) - milliseconds(now)) / 60000;
  return clock(at, { minutes: minutes > 20 ? 5 : 1 });
}

/**
 * Tickets and visits in the order of their times: all waiting customers, as far as the backend lists them. With the same
 * time, visits come first, and tickets are in the order of the queue, in which some have let others go ahead.
 */
function listed() {
  const now = milliseconds(news.now);
  const tickets = news.times
    ? news.times.map(([ticket, minutes]) => ({ number: ticket, time: now + minutes * 60000 }))
    : news.next.map((turn) => ({ number: turn.number, time: milliseconds(turn.wait.expected) }));
  const visits = news.visits.map((turn) => ({
    number: turn.number, time: milliseconds(turn.start), at: turn.start, isVisit: true }));
  return [...visits, ...tickets].sort((one, other) => one.time - other.time);
}

/** A time of the list as the shop's clock shows it: no later turn has an earlier time. */
function listTime({ time, at, isVisit }) {
  if (isVisit) return clock(at);
  const now = milliseconds(news.now);
  // To the minute until the first time that is twenty minutes away, then to five minutes.
  const mark = Math.ceil((now + 20 * 60000) / 300000) * 300000;
  return time <= mark ? clock(news.now, { later: time - now })
    : clock(news.now, { later: Math.max(mark, time) - now, minutes: 5 });
}

/** The dark modules of a symbol as a path: a rectangle for each run of them in a row. */
function runs(rows) {
  return rows.map((row, y) => {
    const modules = [...row].map((digit) => parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
    return [...modules.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`).join("");
  }).join("");
}

/**
 * The symbol with which a customer at the door joins the queue on a phone, or says to be here for an order; none while the
 * message is old (rules: joining, order-arrivals).
 */
function drawInvitation(isEmpty, words) {
  const rows = age() < STALE ? news.joinSymbol ?? news.arrivalSymbol : undefined;
  part("invitation-words").hidden = !rows;
  part("invitation").toggleAttribute("hidden", !rows);
  part("offer").classList.toggle("inviting", Boolean(rows));
  if (!rows) return;
  part("invitation-words").textContent = text(news.joinSymbol ? "join" : "arriveForOrder", words);
  const side = rows.length + 2 * QUIET_ZONE;
  // Every module has the same whole number of pixels.
  const share = isEmpty ? INVITATION.empty : INVITATION.list;
  const width = Math.ceil(share * Math.min(innerWidth, innerHeight) / side) * side;
  Object.assign(part("invitation").style, { width: `${width}px`, height: `${width}px` });
  if (invited === rows.join()) return;
  invited = rows.join();
  part("invitation").setAttribute("viewBox", `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`);
  part("invitation").querySelector("path").setAttribute("d", runs(rows));
}

function drawList(words) {
  const all = listed();
  const list = part("next");
  const size = share(LIST_HEIGHT) / capitalHeight();
  const row = size * 1.05;
  const hasVisits = all.some((turn) => turn.isVisit);
  part("side").classList.toggle("empty", !all.length);
  drawInvitation(!all.length, words);
  part("legend").hidden = !hasVisits;
  part("legend-words").textContent = text("booked", words);
  part("next-title").replaceChildren(element("span", { textContent: text(all.length ? "next" : "nobodyWaits", words) }),
    element("span", { textContent: all.length ? text("expected", words) : "" }));
  fit(part("next-title"));
  // In half of the screen, if less would not show every number within a minute.
  let columns = 1;
  let rows = 1;
  for (const listWidth of [1, 2]) {
    part("board").dataset.list = String(listWidth);
    fit(part("offer-wait"));
    fit(part("invitation-words"));
    columns = isUpright() ? 2 : listWidth;
    rows = Math.max(1, Math.floor(list.clientHeight / row));
    listPages = Math.max(1, Math.ceil(all.length / (rows * columns)));
    if (listPages * LIST_TURN <= LIST_CYCLE) break;
  }
  const most = Math.floor(LIST_CYCLE / SHORTEST_LIST_TURN);
  const isCut = listPages > most || (news.times && news.waiting > news.times.length);
  listPages = Math.min(listPages, most);
  listPage %= listPages;
  // Pages of about the same length.
  const length = isCut ? rows * columns : Math.ceil(all.length / listPages);
  const shown = all.slice(listPage * length, (listPage + 1) * length);
  list.style.fontSize = `${size}px`;
  list.style.gridTemplate = `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))`;
  list.replaceChildren(...shown.map((turn) => element("div", { className: turn.isVisit ? "item visit" : "item" },
    element("b", { textContent: number(turn.number) }), element("span", { textContent: listTime(turn) }))));
  // Two columns are about equally long.
  const long = Math.ceil(shown.length / columns);
  for (const [index, item] of [.../** @type {HTMLCollectionOf<HTMLElement>} */ (list.children)].entries()) {
    item.style.gridArea = `${index % long + 1} / ${Math.floor(index / long) + 1}`;
    // Closer together, but no smaller: the height decides from which distance it can be read.
    const over = item.scrollWidth - item.clientWidth;
    if (over > 0) item.style.letterSpacing = `${-(over + 1) / item.textContent.length}px`;
  }
  part("list-pages").replaceChildren(...Array.from({ length: listPages > 1 ? listPages : 0 }, (_, index) =>
    element("span", { className: index === listPage ? "now" : "" })));
  const last = all.slice(0, listPages * rows * columns).filter((turn) => !turn.isVisit).at(-1);
  part("further").hidden = !(isCut && last);
  if (isCut && last) {
    part("further").textContent = text("further", words, { number: number(last.number), time: listTime(last) });
  }
}

function offer(words) {
  if (!news.wait) return text(news.open ? "noTicket" : "closed", words);
  const begin = spelled(roughly(news.wait.earliest, news.now), words);
  const end = spelled(roughly(news.wait.latest, news.now), words);
  if (milliseconds(news.wait.latest) - milliseconds(news.now) < 60000) return text("noWait", words);
  return begin === end ? `${text("about", words)} ${begin}` : `${begin}–${end}`;
}

function draw() {
  if (!news) return;
  const now = performance.now();
  const words = language(now);
  document.documentElement.lang = words;
  page %= pages();
  // A hidden element has no size.
  if (age() < LOST) part("board").hidden = false;
  part("shop").textContent = news.shopName;
  part("offer-title").textContent = text("newTicket", words);
  part("offer-wait").textContent = offer(words);
  part("offer").classList.toggle("wordy", !/\d/.test(offer(words)));
  drawOrders(now, words);
  drawList(words);
  drawCalled(now, words);
  tick();
}

/** The parts that change by themselves: clock, age, pages, languages. */
function tick() {
  const now = performance.now();
  // Before the first message the page's own start counts.
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
  const isOld = old >= STALE;
  const changes = band.hidden === isOld;
  band.hidden = !isOld;
  part("head").hidden = isOld;
  if (!band.hidden) band.textContent = text("old", words, { seconds: Math.floor(old / 1000) });
  part("clock").textContent = clock(news.now, { later: age() });
  if (changes) drawList(words);
}

setInterval(() => {
  if (started === null) return;
  const now = performance.now();
  if (now - turned >= turnTime()) {
    page = (page + 1) % pages();
    orderPage = (orderPage + 1) % orderPages();
    turned = now;
    shown = "";
  }
  if (now - listTurned >= Math.max(SHORTEST_LIST_TURN, Math.min(LIST_TURN, LIST_CYCLE / listPages))) {
    listPage = (listPage + 1) % listPages;
    listTurned = now;
    shown = "";
  }
  const fresh = news && calls(news).filter((turn) => isFresh(turn, now)).length;
  const present = `${page} ${orderPage} ${language(now)} ${fresh}`;
  if (present !== shown) {
    shown = present;
    draw();
  }
  tick();
}, 250);

addEventListener("resize", draw);
// What was measured before the font came has other widths.
document.fonts.addEventListener("loadingdone", draw);

start((shop) => {
  started = performance.now();
  languages = known(shop.languages);
  document.title = `${shop.shopName}: display`;
}, take);
