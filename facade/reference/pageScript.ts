/** Search, and what is remembered; the pages are read without it. */
export const SCRIPT = `'use strict';
{
  const box = document.querySelector('.find');
  const input = box.querySelector('input');
  const list = box.querySelector('ul');
  const status = box.querySelector('[role=status]');
  let index;
  box.hidden = false;
  const load = () => (index ??= fetch(box.dataset.index).then((answer) => answer.json()));
  const score = (entry, words) => {
    const name = entry[0].toLowerCase();
    const all = (entry.join(' ')).toLowerCase();
    if (!words.every((word) => all.includes(word))) return 0;
    return 1 + words.filter((word) => name.includes(word)).length * 2 + (name.startsWith(words[0]) ? 3 : 0);
  };
  const show = async () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    if (words.length === 0) return hide();
    const entries = await load();
    const found = entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
    found.sort((one, other) => other[0] - one[0]);
    list.replaceChildren(...found.slice(0, 12).map(([, [name, about, address]]) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = address;
      const small = document.createElement('small');
      small.textContent = about;
      link.append(name, small);
      item.append(link);
      return item;
    }));
    list.hidden = found.length === 0;
    status.textContent = found.length === 0 ? 'Nothing found.' : found.length + (found.length === 1 ? ' result' : ' results');
  };
  const hide = () => {
    list.hidden = true;
    status.textContent = '';
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', () => load());
  box.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      hide();
      input.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (links[next] ?? (next < 0 ? input : links.at(-1)) ?? input).focus();
  });
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget)) hide();
  });
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) hide();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
  const open = () => {
    let part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    while (part) {
      if (part.localName === 'details') part.open = true;
      part = part.parentElement;
    }
  };
  addEventListener('hashchange', open);
  open();
  addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll('details.codes')) part.open = false;
  });
  const KEY = 'svc-reference-language';
  try {
    document.getElementById(localStorage.getItem(KEY))?.click();
  } catch {}
  addEventListener('change', (event) => {
    try {
      if (event.target.name === 'language') localStorage.setItem(KEY, event.target.id);
    } catch {}
  });
}
`;
