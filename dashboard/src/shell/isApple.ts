/** Whether shortcuts are pressed with ⌘ on this system. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
