// pageAt reads a page of ours. The browser parses it, and runs nothing in it.
export function pageAt(address) {
  return new Promise((done, fail) => {
    const ask = new XMLHttpRequest();
    ask.open("GET", address);
    ask.responseType = "document";
    ask.timeout = 20_000;
    ask.onload = () => (ask.response ? done({ page: ask.response, ok: ask.status === 200, tag: ask.getResponseHeader("ETag") }) : fail(new Error("no page")));
    ask.onerror = ask.ontimeout = () => fail(new Error("no answer"));
    ask.send();
  });
}
