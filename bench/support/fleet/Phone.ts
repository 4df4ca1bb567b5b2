/** A browser as a request shows it. */
export interface Browser {
  agent: string;
  acceptLanguage: string;
  /** How often its owner follows links in it. */
  share: number;
  /** Private Relay hides its address. */
  isRelayed: boolean;
}

/** A device that apps are installed on. */
export interface Phone {
  platform: 'ios' | 'android';
  /** What an app tells of it, as `POST /v1/sdk/open` takes it. */
  told: {
    platform: 'ios' | 'android';
    os_version: string;
    device_model: string;
    language: string;
    timezone: string;
    screen: { width: number; height: number; scale: number };
  };
  browsers: Browser[];
}
