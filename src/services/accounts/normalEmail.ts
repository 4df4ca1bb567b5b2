/** An e-mail as accounts and invitations are kept by it. */
export function normalEmail(given: string): string {
  return given.trim().toLowerCase();
}
