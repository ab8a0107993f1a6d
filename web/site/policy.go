package site

// Policy lets a page use only our own files: even if text from a service got into the markup as
// code, it couldn't do anything. Our own scripts may not make markup or code from text, either;
// the policy "ours" is app.js's.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types ours"
