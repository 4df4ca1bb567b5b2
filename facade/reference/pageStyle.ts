import { SAMPLE_NAMES } from './samples.ts';

/** Shows the samples of the chosen language alone; browsers without `:has` show all of them. */
const CHOICES = SAMPLE_NAMES.map((_, at) => `body:has(#in-${at}:checked) .sample[class*="in-"]:not(.in-${at})`).join();

/** The look of the product (see dashboard/src/ui/tokens.css), for pages that are read: mobile first, light, dark, print. */
export const STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#f4f5f7,#0f1216);--card:light-dark(#fff,#191d23);--text:light-dark(#1b1f26,#eceff3);--soft:light-dark(#545c69,#a9b1bd);--line:light-dark(#818a99,#788292);--edge:light-dark(#dde1e7,#2b313a);--accent:light-dark(#1d4ed8,#8fb4ff);--on-accent:light-dark(#fff,#0b1530);--alarm:light-dark(#b3141d,#ff9a9a);--warn:light-dark(#8a4b00,#ffc078);--good:light-dark(#0b6b3a,#63d69a);--k:light-dark(#8a1f8f,#e2a5f2);--s:light-dark(#0b6b3a,#63d69a);--n:light-dark(#8a4b00,#f5b36b);--f:light-dark(#1d4ed8,#8fb4ff);--c:light-dark(#545c69,#a9b1bd);--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
*{box-sizing:border-box}
html{scroll-padding-top:6.5rem}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Hiragino Sans","Noto Sans CJK JP",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:3;padding:.5rem 1rem;background:var(--card)}
header{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.6rem 1rem;background:var(--card);border-bottom:1px solid var(--edge)}
header .home{font-weight:600;color:var(--text);text-decoration:none;margin-right:auto}
header button,.find input{min-height:2.25rem;padding:.25rem .75rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:.5rem}
.find{position:relative;width:min(100%,22rem)}
.find input{width:100%}
.find ul{position:absolute;right:0;left:0;margin:.25rem 0 0;padding:.25rem;max-height:60vh;overflow:auto;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 8px 24px #0003}
.find li a{display:block;padding:.4rem .6rem;border-radius:.35rem;color:var(--text);text-decoration:none}
.find li a:is(:hover,:focus){background:color-mix(in srgb,var(--accent) 12%,transparent)}
.find small{display:block;color:var(--soft)}
[hidden]{display:none}
nav.pages{width:17rem;max-width:100%;padding:1.25rem 1rem;border:0;background:var(--card);color:var(--text)}
nav.pages[popover]{inset:0 auto 0 0;height:100%;margin:0;overflow:auto;border-right:1px solid var(--edge)}
nav.pages::backdrop{background:#0006}
nav.pages h2{margin:1.25rem .75rem .25rem;font-size:.8125rem;color:var(--soft)}
nav.pages h2:first-child{margin-top:0}
nav.pages ul{margin:0;padding:0;list-style:none}
nav.pages a{display:block;padding:.3rem .75rem;border-radius:.5rem;color:var(--text);text-decoration:none}
nav.pages a:hover{background:color-mix(in srgb,var(--text) 5%,transparent)}
nav.pages a[aria-current]{font-weight:600;color:var(--accent);background:color-mix(in srgb,var(--accent) 10%,transparent)}
main{min-width:0;max-width:90rem;padding:1.5rem 1rem 4rem}
main>*{max-width:48rem}
h1{margin:0 0 .75rem;font-size:1.75rem;line-height:1.25;text-wrap:balance}
h2{margin:2.25rem 0 .75rem;font-size:1.3rem;line-height:1.3;text-wrap:balance}
h3{margin:1.5rem 0 .5rem;font-size:1.0625rem;line-height:1.4}
p,ul,ol,dl,pre,table{margin:0 0 1rem}
li>p{margin:0}
code,pre{font-family:var(--mono);font-size:.875em}
:not(pre)>code{padding:.1em .3em;background:color-mix(in srgb,var(--text) 7%,transparent);border-radius:.3em}
pre{padding:.85rem 1rem;overflow:auto;max-height:30rem;line-height:1.5;overflow-wrap:normal;background:var(--card);border:1px solid var(--edge);border-radius:.6rem;tab-size:2}
pre code{font-size:1em}
.wide{overflow:auto;margin:0 0 1rem}
table{width:100%;margin:0;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.45rem .6rem .45rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--edge);overflow-wrap:break-word;min-width:4rem}
.k{color:var(--k)}.s{color:var(--s)}.n{color:var(--n)}.f{color:var(--f)}.c{color:var(--c)}
.list{padding:0;list-style:none}
.list li{padding:.2rem 0}
.list li:has(.method){display:flex}
.method{color:var(--good)}.post{color:var(--accent)}.put,.patch{color:var(--warn)}.delete{color:var(--alarm)}
.list .method{flex:none;width:4.5rem;font:600 .8125rem/1.9 var(--mono)}
.operation,.event{margin-top:2.5rem;padding-top:2rem;border-top:1px solid var(--edge)}
main>.operation,main>.event{max-width:none}
.operation h2,.event h2,.event h3:first-child{margin-top:0}
.anchor{color:inherit;text-decoration:none}
.anchor:hover::after,.anchor:focus::after{content:" #";color:var(--soft)}
.path code{padding:.35rem .6rem;display:inline-block}
.needs{padding-left:.75rem;border-left:3px solid var(--edge);color:var(--soft)}
.needs strong{color:var(--alarm)}
.fields{margin:0 0 1rem}
.fields>div{padding:.55rem 0;border-top:1px solid var(--edge)}
dd{margin:.15rem 0 0}
.type{font-family:var(--mono);font-size:.8125rem;color:var(--soft)}
.required{font-size:.8125rem;font-weight:600;color:var(--alarm)}
.limits{font-size:.875rem;color:var(--soft)}
summary{cursor:pointer;padding:.25rem 0;color:var(--accent)}
details .fields{margin:.25rem 0 .5rem;padding-left:.85rem;border-left:2px solid var(--edge)}
.sample{margin:0 0 1rem}
.language{margin:0 0 .35rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
.none{color:var(--soft)}
fieldset.choice{display:flex;flex-wrap:wrap;gap:.25rem;margin:0 0 1rem;padding:0;border:0}
.choice legend{float:left;padding:.3rem .5rem .3rem 0;color:var(--soft);font-size:.875rem}
.choice label{position:relative;padding:.3rem .75rem;border:1px solid var(--line);border-radius:.5rem;font-size:.875rem;cursor:pointer}
.choice input{position:absolute;opacity:0;inset:0;margin:0;cursor:pointer}
.choice label:has(:checked){color:var(--on-accent);background:var(--accent);border-color:transparent}
.choice label:has(:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
${CHOICES}{display:none}
footer{padding:1rem 1rem 2rem;color:var(--soft);font-size:.875rem}
dt:target,tr:target,h2:target,h3:target{background:color-mix(in srgb,var(--accent) 12%,transparent)}
@media(max-width:47.99em){main>*{max-width:100%}.find{order:3;width:100%}}
@media(min-width:64em){body{display:grid;grid-template:auto 1fr auto/17rem minmax(0,1fr)}header,footer{grid-column:1/-1}header button{display:none}nav.pages[popover]{display:block;position:sticky;top:3.6rem;inset-inline:auto;height:calc(100vh - 3.6rem);grid-row:2}main{padding:2rem 2.5rem 4rem}}
@media(min-width:64em){html{scroll-padding-top:7.75rem}main>.choice{max-width:none;position:sticky;top:3.4rem;z-index:1;padding:.6rem 0;background:var(--ground)}}
@media(min-width:80em){.operation,.event{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2.5rem;align-items:start}.samples{position:sticky;top:7.25rem}}
@media(forced-colors:active){.choice label:has(:checked){outline:2px solid Highlight}}
@media print{header,nav.pages,.choice,footer{display:none!important}body{display:block;background:#fff;color:#000}main{max-width:none;padding:0}pre{max-height:none;white-space:pre-wrap}.operation,.event{display:block}.samples{max-height:none;position:static}details::details-content{content-visibility:visible;height:auto}a{color:inherit}.operation{break-inside:auto}h2,h3{break-after:avoid}}
`;
