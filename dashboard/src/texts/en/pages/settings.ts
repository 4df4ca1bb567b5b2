import { plural } from '../../plural.ts';

export const texts = {
  title: 'Settings',
  about: 'The project, its apps and its tags.',
  tabsLabel: 'Parts of the settings',
  tabs: { project: 'Project', apps: 'Apps', tags: 'Tags', delete: 'Delete' },
  saved: 'Settings saved',
  project: {
    name: 'Name',
    defaultDomain: 'Default domain',
    defaultDomainHint: 'New links are on this domain unless another one is chosen.',
    serviceDomain: (host: string) => `${host} (of this installation)`,
    matchWindow: 'Matching window',
    matchWindowHint:
      'How long after a click an install can be attributed to it when the device is recognized by similarity.',
    minutes: (count: string) => `${count} min`,
    hours: (count: string, number: number) => `${count} ${plural(number, { one: 'hour', other: 'hours' })}`,
    seconds: (count: string) => `${count} s`,
    probabilistic: 'Match installs by similarity',
    probabilisticHint:
      'When an app brings no token of a link, its device is compared with recent clicks: a hash of the address, system, language, time zone and screen. Turn this off if your privacy policy does not cover it. Matches by link, referrer and clipboard still work.',
    maxEventValue: 'Largest event value',
    maxEventValueHint:
      'Events with a larger value are kept apart from the sums, because anybody who has your app can send any value.',
    save: 'Save settings',
  },
  apps: {
    about: 'Links open these apps on phones that have them, and lead to the store on others.',
    empty: 'Add your app so that links open it.',
    add: { ios: 'Add iOS app', android: 'Add Android app' },
    platform: { ios: 'iOS', android: 'Android' },
    edit: 'Edit',
    remove: 'Remove',
    actionsOf: (name: string) => `Actions for ${name}`,
    fingerprints: (count: number) => plural(count, { one: '1 certificate', other: `${count} certificates` }),
    bundleId: 'Bundle ID',
    bundleIdHint: 'Such as com.example.app, from Xcode under Signing & Capabilities.',
    teamId: 'Apple team ID',
    teamIdHint: 'Ten letters and digits, under Membership in your Apple developer account.',
    appStoreId: 'App Store ID',
    appStoreIdHint: 'The digits after “id” in the app’s store URL. You can paste the URL.',
    package: 'Package name',
    packageHint: 'Such as com.example.app, the applicationId of the app.',
    fingerprint: 'SHA-256 certificate fingerprints',
    fingerprintHint:
      'Paste the output of “keytool -list -v” or of “App integrity” in the Play Console: the SHA-256 lines are found in it. With Play App Signing you need Google’s.',
    found: (count: number) => plural(count, { one: '1 fingerprint found:', other: `${count} fingerprints found:` }),
    noneFound: 'No SHA-256 fingerprint found in this text.',
    scheme: 'URL scheme (optional)',
    schemeHint: 'Such as myapp, if the app opens myapp:// addresses.',
    save: 'Save app',
    saved: 'App saved. Links use it within a second.',
    removed: 'App removed',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeBody: 'Links no longer open the app. Its installs and their figures stay.',
  },
  files: {
    title: 'Association files',
    about:
      'Phones load these files from a link domain to learn which app may open its links. They are shown exactly as they are served.',
    domain: 'Domain',
    apple: 'iOS',
    android: 'Android',
    what: (url: string) => `the file at ${url}`,
    none: 'Not served',
  },
  tags: {
    about: 'Tags group links in lists, figures and webhooks.',
    empty: 'Tags group links, such as those of a campaign.',
    new: 'Add tag',
    columns: { name: 'Tag', links: 'Links', created: 'Created', actions: 'Actions' },
    show: (name: string) => `Show links with ${name}`,
    edit: 'Edit',
    actionsOf: (name: string) => `Actions for ${name}`,
    createTitle: 'Add a tag',
    editTitle: (name: string) => `Edit “${name}”`,
    name: 'Name',
    color: 'Color',
    noColor: 'No color',
    colors: {
      red: 'Red',
      orange: 'Orange',
      yellow: 'Yellow',
      green: 'Green',
      teal: 'Teal',
      blue: 'Blue',
      indigo: 'Indigo',
      purple: 'Purple',
      pink: 'Pink',
      brown: 'Brown',
      gray: 'Gray',
      black: 'Black',
    } as Record<string, string>,
    save: 'Save tag',
    saved: 'Tag saved',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteBody: (count: string, number: number) =>
      `It is removed from ${count} ${plural(number, { one: 'link', other: 'links' })}. The links stay.`,
    deleted: 'Tag deleted',
  },
  remove: {
    title: 'Delete this project',
    about: (days: string) =>
      `Everything in the project stops working at once: links no longer redirect, apps and servers with its keys are refused, webhooks receive nothing. For ${days} it can be restored on the page of the team. Then everything is deleted for good.`,
    contents: (counts: {
      links: string;
      clicks: string;
      domains: string;
      webhooks: string;
      keys: string;
      installs: string;
    }) =>
      `In this project: links (${counts.links}), clicks (${counts.clicks}), domains (${counts.domains}), webhooks (${counts.webhooks}), keys (${counts.keys}) and installs (${counts.installs}).`,
    archive: 'Before that, an owner can download everything on the page of the team.',
    team: 'Go to the team',
    action: 'Delete project',
    confirmTitle: (name: string) => `Delete ${name}?`,
    done: (name: string, until: string) => `${name} is deleted. It can be restored until ${until}.`,
  },
  newProject: {
    title: 'New project',
    about: 'A project holds links, domains, apps and keys that belong together.',
    team: 'Team',
    name: 'Name',
    nameHint: 'Such as your product, or the client you work for.',
    action: 'Create project',
    mayNot: 'Only owners and admins of a team can create projects. Ask one of them.',
  },
};
