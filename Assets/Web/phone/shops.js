// The shops at which a customer can take a place from elsewhere (rules: elsewhere), with their waits.

import { milliseconds, setClock } from "./clock.js";
import { inMetres, metresBetween } from "./distances.js";
import { position } from "./leave.js";
import { keepSetting, places, setting } from "./memory.js";
import { dayInWords } from "./moments.js";
import {
  addressLine, chooseLanguage, inMinutes, language, onClick, part, people, range, readAloud, say, show, startChoices,
  timeOf,
} from "./page.js";
import { wayTexts } from "./places-words.js";
import { call } from "./server.js";
import { shopsTexts } from "./shops-words.js";
import { showText } from "./text.js";
import { addTexts } from "./words.js";

/** How often the waits are asked for while the page is seen. */
const REFRESH = 30000;
/** The pause in typing after which the server is asked. */
const TYPED = 400;
/** A longer wait is shown in steps of five minutes. */
const EXACT = 10;
/** A longer one is shown by the clock, and not in minutes. */
const LONGEST = 90;
const FAVOURITES = "clup-favourites";
const MOST_FAVOURITES = 50;
/** A star, in a square of 24 units. */
const STAR = "M12 2.8l2.85 5.78 6.38.93-4.62 4.5 1.1 6.35L12 17.36l-5.71 3 1.1-6.35-4.62-4.5 6.38-.93Z";

const field = /** @type {HTMLInputElement} */ (part("search"));

/** The last list, the words with which it was asked for, and whether there are more shops than a list has. */
let list = null;
let searched = "";
let isLong = false;
/** Which call is the last, whether it is under way, when it was made, and when the next one may be. */
let last = 0;
let isAsking = false;
let asked = -Infinity;
let notBefore = 0;
let typing;
/** The name of the text that says why the last call failed. */
let failure = "";
/** The phone's position, if the list is sorted by it; whether it is being found, and whether that failed. */
let here = null;
let isLocating = false;
let isLost = false;
/** The elements of each shop by its tag, and which of them are shown in which order. */
const drawn = new Map();
let order = "";

// MARK: The list

const typed = () => field.value.trim();

/** The words with which the server is asked: a list that has all shops is filtered here. */
const wanted = () => isLong ? typed() : "";

async function ask() {
  const own = ++last;
  const search = wanted();
  isAsking = true;
  asked = performance.now();
  const lost = { status: 0, body: null, retryAfter: 0 };
  const { status, body, retryAfter } = await call("shops", { search }).catch(() => lost);
  if (own !== last) return;
  isAsking = false;
  if (status === 200) {
    list = body;
    searched = search;
    if (!search) isLong = body.more;
    failure = "";
  } else {
    failure = !status ? "offline" : status === 429 ? "tooMany" : "didNotWork";
    notBefore = asked + retryAfter;
  }
  // The words that were typed meanwhile.
  if (status === 200 && wanted() !== searched) ask();
  draw();
}

/** Text without case and accents. */
const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The shops that have all words that were typed. */
function found() {
  const words = plain(typed()).split(/\s+/);
  if (typed() === searched) return list.shops;
  return list.shops.filter((shop) => {
    const own = plain(`${shop.name} ${addressLine(addressOf(shop))}`);
    return words.every((word) => own.includes(word));
  });
}

/** The address of a shop, whose parts may be missing. */
const addressOf = (shop) => shop.address || /** @type {any} */ ({});

/** Metres to a shop; infinite if its position is not known. */
function distance(shop) {
  const { latitude } = addressOf(shop);
  return here && latitude !== undefined ? metresBetween(here, shop.address) : Infinity;
}

// MARK: Favourites

/** The tags of the favourite shops. */
function favourites() {
  try {
    const tags = JSON.parse(setting(FAVOURITES));
    return Array.isArray(tags) ? tags : [];
  } catch {
    return [];
  }
}

function changeFavourite({ tag, name }) {
  const tags = favourites();
  const isNew = !tags.includes(tag);
  const others = tags.filter((one) => one !== tag);
  keepSetting(FAVOURITES, JSON.stringify(isNew ? [tag, ...others].slice(0, MOST_FAVOURITES) : others));
  readAloud(say(isNew ? "added" : "removed", { name }));
  draw();
}

// MARK: Drawing

/** The wait at a shop, or why there is none. A long one is given in steps of five minutes. */
function waitOf({ open, opens, now, wait, place }) {
  if (!open) {
    if (!opens) return say("closed");
    const day = dayInWords(opens.slice(0, 10), now.slice(0, 10), language);
    return say("closedUntil", { day, time: say("at", { time: timeOf(opens) }) });
  }
  if (!wait) return say("noTicket");
  if (!place) return say("atDoor");
  const minutesTo = (moment) => Math.round((milliseconds(moment) - milliseconds(now)) / 60000);
  const least = minutesTo(wait.earliest);
  const most = minutesTo(wait.latest);
  const step = most > EXACT ? 5 : 1;
  const from = step * Math.floor(least / step);
  const to = step * Math.ceil(most / step);
  if (to < 1) return say("atOnce");
  if (to > LONGEST) {
    setClock(now);
    return say("turn", { range: range(wait) });
  }
  return say(from < 1 ? "upTo" : from === to ? "about" : "fromTo", { from, minutes: inMinutes(to) });
}

/** The shops in groups, each with its title. */
function groups(shops) {
  const tags = favourites();
  const isFavourite = ({ tag }) => tags.includes(tag);
  const sorted = here ? [...shops].sort((one, other) => distance(one) - distance(other) || 0) : shops;
  const made = [{ title: say("favourites"), shops: sorted.filter(isFavourite), isMixed: true }];
  const others = sorted.filter((shop) => !isFavourite(shop));
  if (here) made.push({ title: say("nearest"), shops: others, isMixed: true });
  else {
    const towns = new Map();
    for (const shop of others) {
      const town = addressOf(shop).town || "";
      towns.set(town, [...towns.get(town) || [], shop]);
    }
    const rest = towns.get("");
    towns.delete("");
    for (const [title, ofTown] of towns) made.push({ title, shops: ofTown, isMixed: false });
    if (rest) made.push({ title: towns.size ? say("noTown") : "", shops: rest, isMixed: false });
  }
  return made.filter((group) => group.shops.length);
}

/** The elements of a shop, which stay the same while the page is open. */
function elements({ tag }) {
  const known = drawn.get(tag);
  if (known) return known;
  const item = document.createElement("li");
  item.innerHTML = `<a><b></b><span></span><span class="wait"></span><span></span></a>
    <button><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${STAR}"></path></svg></button><a class="join main"></a><a class="visit"></a>`;
  const [link, star, join, visit] = /** @type {HTMLElement[]} */ ([...item.children]);
  /** @type {HTMLAnchorElement} */ (link).href = /** @type {HTMLAnchorElement} */ (join).href = `/join/${tag}`;
  /** @type {HTMLAnchorElement} */ (visit).href = `/visit/${tag}`;
  const [name, where, wait, ahead] = link.children;
  const made = { item, name, where, wait, ahead, star, join, visit, shop: null };
  star.addEventListener("click", () => changeFavourite(made.shop));
  drawn.set(tag, made);
  return made;
}

function drawShop(shop, isMixed, isFavourite) {
  const { item, name, where, wait, ahead, star, join, visit } = elements(shop);
  elements(shop).shop = shop;
  const { street, town } = addressOf(shop);
  const metres = distance(shop);
  const hasPlaces = shop.open && shop.wait && shop.place;
  showText(name, shop.name);
  showText(where, [
    metres < Infinity && inMetres(metres, language), addressLine({ street, town: isMixed ? town : "" }),
  ].filter(Boolean).join(" · "));
  showText(wait, waitOf(shop));
  const count = hasPlaces ? shop.wait.peopleAhead : 0;
  showText(ahead, count > 0 ? say("before", { people: people(count) }) : "");
  item.toggleAttribute("data-places", !!hasPlaces);
  showText(join, hasPlaces ? say("joinQueue") : "");
  join.setAttribute("aria-label", say("joinQueueAt", { name: shop.name }));
  showText(visit, shop.visits ? say("bookVisit") : "");
  visit.setAttribute("aria-label", say("bookVisitAt", { name: shop.name }));
  star.setAttribute("aria-pressed", String(isFavourite));
  star.setAttribute("aria-label", say("favourite", { name: shop.name }));
}

function drawList(shops) {
  const made = groups(shops);
  const tags = favourites();
  for (const { shops: own, isMixed } of made) {
    for (const shop of own) drawShop(shop, isMixed, tags.includes(shop.tag));
  }
  const next = JSON.stringify(made.map((group) => [group.title, group.shops.map(({ tag }) => tag)]));
  if (next === order) return;
  order = next;
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const parts = made.flatMap((group) => {
    const rows = document.createElement("ul");
    rows.append(...group.shops.map((shop) => elements(shop).item));
    if (!group.title) return [rows];
    const title = document.createElement("h2");
    title.textContent = group.title;
    return [title, rows];
  });
  part("list").replaceChildren(...parts);
  // An element that was moved has lost the focus.
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

/** How many shops were found, or why there are none. */
function countOf(shops) {
  if (!list) return failure ? "" : say("moment");
  // What was typed has not been asked for yet, and only some shops are known.
  if (!shops.length && wanted() !== searched) return failure ? "" : say("moment");
  if (!shops.length) return say(typed() ? "notFound" : "noShops");
  if (!typed()) return "";
  return shops.length === 1 ? say("shop") : say("shops", { n: shops.length });
}

function draw() {
  document.title = say("title");
  part("myPlaces").hidden = !places().length;
  const shops = list ? found() : [];
  const [first] = list ? list.shops : [];
  show("notice", failure && `${say(failure)} ${first ? say("asOf", { time: timeOf(first.now) }) : ""}`.trim());
  part("tryAgain").hidden = !failure;
  show("found", countOf(shops));
  part("further").hidden = !(list && list.more);
  part("nearby").setAttribute("aria-pressed", String(!!here));
  show("position", isLocating ? say("moment") : isLost ? say("noPosition") : "");
  drawList(shops);
}

// MARK: Near here

/** Sorts the list by its distance from here, or by town again. */
async function sortByDistance() {
  if (isLocating) return;
  isLost = false;
  if (here) {
    here = null;
    return draw();
  }
  isLocating = true;
  draw();
  here = await position().catch(() => null);
  isLocating = false;
  isLost = !here;
  draw();
}

// MARK: Start

const refresh = () => {
  const time = performance.now();
  if (!document.hidden && !isAsking && time - asked >= REFRESH && time >= notBefore) ask();
};

addTexts({ ...shopsTexts, ...wayTexts });
chooseLanguage();
startChoices(() => {
  chooseLanguage();
  draw();
});
onClick("nearby", sortByDistance);
onClick("tryAgain", () => ask());
part("nearby").hidden = part("positionStays").hidden = !navigator.geolocation;
part("find").addEventListener("submit", (event) => {
  event.preventDefault();
  // So that the phone's keyboard does not cover the list.
  field.blur();
});
field.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => { if (list && wanted() !== searched) ask(); }, TYPED);
  draw();
});
document.addEventListener("visibilitychange", refresh);
addEventListener("online", () => ask());
addEventListener("offline", () => {
  failure = "offline";
  draw();
});
addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
setInterval(refresh, 1000);

ask();
draw();
