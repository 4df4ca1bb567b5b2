/** A command that sends the same request again. The signature is that of then, so receivers refuse it after five minutes. */
export function curlOf(url: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = [
    `curl -i -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** For a POSIX shell, in which nothing has a meaning between single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
