/** In points of the display, as iOS, Android (dp) and CSS count. What is not known is null. */
export interface Screen {
  width: number | null;
  height: number | null;
  scale: number | null;
}

/** What an app tells of its device when it is opened. */
export interface DeviceFacts {
  platform: 'ios' | 'android' | 'web';
  osVersion: string | null;
  deviceModel: string | null;
  /** As `de-DE`. */
  language: string | null;
  /** As `Europe/Berlin`. */
  timezone: string | null;
  screen: Screen | null;
  /** Milliseconds since the epoch, by our clock. */
  openedAt: number;
}

/** What is known of the device that made a click. */
export interface ClickDevice {
  platform: string;
  osVersion: string | null;
  deviceModel: string | null;
  language: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** As the page before the store was told; most clicks lead past that page. */
  timezone: string | null;
  screen: Screen | null;
  /** Milliseconds since the epoch. */
  clickedAt: number;
}
