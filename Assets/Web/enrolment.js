// What a page shows before its shop knows it: the command that adds it. The languages of the shop are not known then.

import { ownNameOf } from "/web/language.js";
import { element, put } from "/web/parts.js";

/** By language in this order. */
const LANGUAGES = ["en", "it", "de", "fr", "es"];
const texts = {
  display: ["This display is not registered with its shop yet", "Questo tabellone non è ancora registrato nel suo negozio", "Diese Anzeige ist noch nicht beim Geschäft angemeldet", "Cet écran n’est pas encore enregistré auprès du magasin", "Esta pantalla aún no está registrada en la tienda"],
  reader: ["This reader is not registered with its shop yet", "Questo lettore non è ancora registrato nel suo negozio", "Dieses Lesegerät ist noch nicht beim Geschäft angemeldet", "Ce lecteur n’est pas encore enregistré auprès du magasin", "Este lector aún no está registrado en la tienda"],
  desk: ["This desk is not registered with its shop yet", "Questo banco ritiri non è ancora registrato nel suo negozio", "Dieser Abholschalter ist noch nicht beim Geschäft angemeldet", "Ce comptoir n’est pas encore enregistré auprès du magasin", "Este mostrador aún no está registrado en la tienda"],
  staff: ["This staff page is not registered with its shop yet", "Questa pagina del personale non è ancora registrata nel suo negozio", "Diese Seite für das Personal ist noch nicht beim Geschäft angemeldet", "Cette page du personnel n’est pas encore enregistrée auprès du magasin", "Esta página del personal aún no está registrada en la tienda"],
  how: ["Whoever looks after the shop’s server runs this command there. This page then continues by itself.", "Chi gestisce il server del negozio esegue lì questo comando. Poi questa pagina prosegue da sola.", "Wer den Server des Geschäfts betreut, führt dort diesen Befehl aus. Danach geht es auf dieser Seite von selbst weiter.", "La personne qui gère le serveur du magasin y exécute cette commande. Cette page continue ensuite d’elle-même.", "Quien administra el servidor de la tienda ejecuta allí esta orden. Después, esta página continúa sola."],
  key: ["Public key", "Chiave pubblica", "Öffentlicher Schlüssel", "Clé publique", "Clave pública"],
  fingerprint: ["Fingerprint: it must be the one that the command prints", "Impronta: deve essere uguale a quella che il comando stampa", "Fingerabdruck: Er muss mit dem übereinstimmen, den der Befehl ausgibt", "Empreinte : elle doit être identique à celle qu’affiche la commande", "Huella: debe coincidir con la que muestra la orden"],
};

let language = navigator.languages.map((code) => code.slice(0, 2)).find((code) => LANGUAGES.includes(code)) || "en";

let redraw = () => {};

function parts() {
  return [
    element("h1"), element("p"), element("pre"),
    element("dl", {}, element("dt", { className: "fingerprint" }), element("dd"), element("dt", { className: "key" }), element("dd")),
    element("nav", {}, ...LANGUAGES.map((code) => {
      const button = element("button", { type: "button", lang: code, textContent: ownNameOf(code) });
      button.addEventListener("click", () => {
        language = code;
        redraw();
      });
      return button;
    })),
  ];
}

/** Shows the command to a page of a role with this key; what is as it was is not touched, since it may be being copied. */
export function showEnrolment(panel, role, command, key) {
  if (!panel.children.length) panel.append(...parts());
  redraw = () => showEnrolment(panel, role, command, key);
  const say = (name) => texts[name][LANGUAGES.indexOf(language)];
  panel.lang = language;
  put(panel, "h1", say(role in texts ? role : "reader"));
  put(panel, "p", say("how"));
  put(panel, "pre", command);
  put(panel, "dt.fingerprint", say("fingerprint"));
  put(panel, "dt.fingerprint + dd", key.fingerprint);
  put(panel, "dt.key", say("key"));
  put(panel, "dt.key + dd", key.text);
  for (const button of panel.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", String(button.lang === language));
  }
  panel.hidden = false;
}
