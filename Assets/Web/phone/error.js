// The page in place of one that there is not, or that cannot be opened: what to do, and the ways to the pages that there are.

import { errorTexts } from "./error-words.js";
import { places } from "./memory.js";
import { chooseLanguage, onClick, part, say, show, startChoices } from "./page.js";
import { shopsWayTexts, wayTexts } from "./places-words.js";
import { shopsTexts } from "./shops-words.js";
import { addTexts } from "./words.js";

const isBusy = document.body.dataset.cause === "busy";

function draw() {
  chooseLanguage();
  show("heading", say(isBusy ? "notNow" : "noPage"));
  show("advice", say(isBusy ? "waitAMinute" : "openAgain"));
  document.title = say(isBusy ? "notNow" : "noPage");
}

addTexts({ ...errorTexts, ...shopsWayTexts, ...wayTexts, tryAgain: shopsTexts.tryAgain });
part("tryAgain").hidden = !isBusy;
part("myPlaces").hidden = places().length === 0;
onClick("tryAgain", () => location.reload());
startChoices(draw);
draw();
