/** How a language writes values. */
interface Language {
  name: (key: string) => string;
  scalar: (value: unknown) => string;
  indent: string;
  /** Around the content of an object that stays on its line. */
  padding: string;
}

const MAX_LINE = 80;

const JAVASCRIPT: Language = {
  name: (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`),
  scalar: (value) => (typeof value === 'string' ? singleQuoted(value) : String(value)),
  indent: '  ',
  padding: ' ',
};

const PYTHON_WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const PYTHON: Language = {
  name: (key) => JSON.stringify(key),
  scalar: (value) => PYTHON_WORDS.get(value) ?? JSON.stringify(value),
  indent: '    ',
  padding: '',
};

/** A JSON value in JavaScript, in a place that is indented so often. */
export function javaScriptText(value: unknown, depth = 0): string {
  return write(value, JAVASCRIPT, depth);
}

/** A JSON value in Python, in a place that is indented so often. */
export function pythonText(value: unknown, depth = 0): string {
  return write(value, PYTHON, depth);
}

function write(value: unknown, language: Language, depth: number): string {
  if (value === null || typeof value !== 'object') return language.scalar(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((inner) => write(inner, language, depth + 1))
    : Object.entries(value).map(([key, inner]) => `${language.name(key)}: ${write(inner, language, depth + 1)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const padding = isList ? '' : language.padding;
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (parts.length === 0) return open + close;
  if (line.length + depth * language.indent.length <= MAX_LINE && !line.includes('\n')) return line;
  const inner = language.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${language.indent.repeat(depth)}${close}`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
