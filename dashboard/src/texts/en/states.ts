/** Words for states, as the pages, lists and toasts show them. */
export const states = {
  link: {
    active: 'Active',
    scheduled: 'Scheduled',
    expired: 'Expired',
    archived: 'Archived',
    flagged: 'Blocked',
  },
  delivery: {
    pending: 'Waiting',
    succeeded: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  webhook: {
    on: 'On',
    held: 'Held',
    off: 'Off',
  },
  import: {
    pending: 'Waiting',
    running: 'Running',
    finished: 'Finished',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  health: {
    passing: 'Passing',
    failing: 'Failing',
    unknown: 'Not known yet',
  },
  check: {
    pass: 'Passing',
    warn: 'Warning',
    fail: 'Failing',
    skip: 'Not checked',
  },
  domain: {
    pending: 'Waiting for records',
    verified: 'Verified',
    failing: 'Failing',
  },
  severity: {
    critical: 'Critical',
    warning: 'Warning',
    info: 'Information',
  },
  alert: {
    open: 'Open',
    acknowledged: 'Acknowledged',
    resolved: 'Resolved',
  },
  match: {
    certain: 'Certain',
    likely: 'Likely',
    none: 'None',
  },
  platforms: { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux', other: 'Other' },
  devices: { mobile: 'Phone', tablet: 'Tablet', desktop: 'Computer' },
  roles: {
    owner: 'owner',
    admin: 'admin',
    member: 'member',
    viewer: 'viewer',
  },
};
