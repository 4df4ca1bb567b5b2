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
  roles: {
    owner: 'owner',
    admin: 'admin',
    member: 'member',
    viewer: 'viewer',
  },
};
