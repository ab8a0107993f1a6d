package site

// Policy lets a page use our own files and nothing else: a name from upstream
// that found its way into the markup could still do nothing.
// Nor may our own scripts make markup or code of text; the policy "ours" is app.js's.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types ours"
