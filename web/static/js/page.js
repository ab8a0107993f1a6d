// pageAt reads a page of ours, or posts fields and reads where that leads. The browser parses
// it without running anything in it.
export function pageAt(address, fields) {
  return new Promise((done, fail) => {
    const ask = new XMLHttpRequest();
    ask.open(fields ? "POST" : "GET", address);
    ask.responseType = "document";
    ask.timeout = 20_000;
    ask.onload = () => (ask.response ? done({ page: ask.response, ok: ask.status === 200, tag: ask.getResponseHeader("ETag"), at: ask.responseURL }) : fail(new Error("no page")));
    ask.onerror = ask.ontimeout = () => fail(new Error("no answer"));
    ask.send(fields);
  });
}
