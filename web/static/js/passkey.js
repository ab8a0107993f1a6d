// A form under [data-passkey] asks the browser for a passkey, or to make one, and
// posts its answer as any form does. Without JavaScript, or without passkeys in the
// browser, the form stays hidden.
export function startPasskeys() {
  if (!window.PublicKeyCredential || !navigator.credentials) return;
  for (const box of document.querySelectorAll("[data-passkey]")) {
    box.hidden = false;
    box.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      answer(box, event.target);
    });
  }
}

async function answer(box, form) {
  const problem = box.querySelector("[data-problem]"), button = form.querySelector("button");
  problem.hidden = true;
  button.disabled = true;
  try {
    const csrf = form.elements.csrf?.value;
    const reply = await fetch(`${box.dataset.passkey}/options`, { method: "POST", headers: csrf ? { "X-CSRF-Token": csrf } : {} });
    if (reply.redirected) { // they must confirm their identity first
      location.assign(reply.url);
      return;
    }
    if (!reply.ok) throw new Refused(reply.status === 429 ? "tooMany" : "failed");
    const { publicKey } = await reply.json();
    const credential = publicKey.user ? await navigator.credentials.create({ publicKey: toMake(publicKey) }) : await navigator.credentials.get({ publicKey: toGet(publicKey) });
    form.elements.credential.value = JSON.stringify(asJSON(credential));
    form.submit();
  } catch (error) {
    button.disabled = false;
    problem.textContent = problem.dataset[reason(error)];
    problem.hidden = false;
  }
}

class Refused extends Error {}

// reason names the words for an error, which the page has in its own language.
function reason(error) {
  if (error instanceof Refused) return error.message;
  switch (error.name) {
    case "InvalidStateError": return "known";
    case "NotAllowedError": return "cancelled";
    default: return "unable";
  }
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const known = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));

const toGet = (o) => ({ ...o, challenge: bytes(o.challenge), allowCredentials: known(o.allowCredentials) });
const toMake = (o) => ({ ...o, challenge: bytes(o.challenge), user: { ...o.user, id: bytes(o.user.id) }, excludeCredentials: known(o.excludeCredentials) });

function asJSON(credential) {
  const { response } = credential, out = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) out[name] = text(response[name]);
  }
  if (response.getTransports) out.transports = response.getTransports();
  return {
    id: credential.id, rawId: text(credential.rawId), type: credential.type, response: out,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined, clientExtensionResults: credential.getClientExtensionResults(),
  };
}
