/** `linkId` → `link_id`: as the wire, columns and, in capitals, settings spell what the code calls otherwise. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
