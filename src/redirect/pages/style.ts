import { createHash } from 'node:crypto';
import { Html } from '../../kernel/html.ts';

/** The style sheet of all pages: mobile first, light and dark, contrast of text at least 4.5. */
const CSS = `
:root{--ground:#f4f5f7;--card:#fff;--text:#1b1f26;--soft:#545c69;--line:#818a99;--edge:#dde1e7;--accent:#1d4ed8;--on-accent:#fff;--alarm:#b3141d;--alarm-ground:#fdecec}
@media (prefers-color-scheme:dark){:root{--ground:#0f1216;--card:#191d23;--text:#eceff3;--soft:#a9b1bd;--line:#788292;--edge:#2b313a;--accent:#8fb4ff;--on-accent:#0b1530;--alarm:#ff9a9a;--alarm-ground:#3a1a1d}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;padding:1rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Hiragino Sans","Noto Sans CJK JP",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:27rem;margin:auto;padding:2rem 1.5rem;background:var(--card);border:1px solid var(--edge);border-radius:1rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
p,ul{margin:0 0 1rem}
ul{padding-left:1.25rem}
main>:last-child,form>:last-child{margin-bottom:0}
h1:lang(ja){word-break:auto-phrase}
.icon{display:block;width:3rem;height:3rem;margin:0 0 1rem;padding:.7rem;border-radius:50%;color:var(--accent);background:color-mix(in srgb,currentColor 12%,transparent)}
.icon.alarm{color:var(--alarm)}
.soft{color:var(--soft)}
.small{font-size:.875rem}
label,.label{display:block;margin:0 0 .35rem;font-size:1rem;font-weight:600}
input{display:block;width:100%;min-height:3rem;margin:0 0 1rem;padding:.5rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.6rem}
input[aria-invalid]{border-color:var(--alarm)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3rem;margin:0 0 .75rem;padding:.5rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:.6rem;cursor:pointer}
.button.plain{color:var(--accent);background:transparent;border-color:var(--line)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.error{margin:0 0 1rem;padding:.6rem .75rem;color:var(--alarm);background:var(--alarm-ground);border-radius:.6rem}
.address{margin:0 0 1rem;padding:.6rem .75rem;background:var(--ground);border-radius:.6rem;word-break:break-all}
[hidden]{display:none}
`;

export const STYLE = new Html(CSS);

/** The source for a Content-Security-Policy that allows only this style sheet. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(CSS).digest('base64')}'`;
