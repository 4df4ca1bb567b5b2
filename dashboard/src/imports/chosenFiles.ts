/** Files that were checked, by the id of their check, until this page is left: to import them without choosing them again. */
const files = new Map<string, File>();

export function keepFile(importId: string, file: File): void {
  files.set(importId, file);
}

export function keptFile(importId: string): File | null {
  return files.get(importId) ?? null;
}
