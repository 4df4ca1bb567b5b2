/** Where somebody does this in the dashboard: a page of `src/routes/`, and what stands on the control, as a path into the texts. */
interface Control {
  page: string;
  control: string;
  /** The field of GraphQL, or the start of a path, by which it is done, where that is another one. */
  by?: string;
}

/** Why there is no control for it. */
interface NoControl {
  why: string;
}

const APPS_SEND = 'Apps and web pages send it, by the SDK.';

/** What each mutation of GraphQL, and what each operation of REST is built on, is in the dashboard: `npm run check -- controls`. */
export const CONTROLS: Record<string, Control | NoControl> = {
  // links
  links: { page: '/links', control: 'links.title' },
  link: { page: '/links/$linkId', control: 'links.menu.open' },
  linkCount: { page: '/links', control: 'links.found', by: 'linkFacets' },
  lookupLink: { page: '/links', control: 'shell.palette.placeholder', by: 'findLink' },
  createLink: { page: '/links/new', control: 'builder.create' },
  updateLink: { page: '/links/$linkId/edit', control: 'builder.save' },
  upsertLink: { why: 'For scripts that know links by ids of their own; people create and edit.' },
  archiveLink: { page: '/links', control: 'links.menu.archive' },
  unarchiveLink: { page: '/links', control: 'links.menu.unarchive' },
  deleteLink: { page: '/links', control: 'links.menu.delete' },
  bulkCreateLinks: { page: '/links', control: 'links.createSeveral' },
  bulkUpsertLinks: { why: 'For scripts and links as code, which know links by ids of their own.' },
  bulkUpdateLinks: { page: '/links', control: 'links.bulk.addTags' },
  bulkDeleteLinks: { page: '/links', control: 'links.bulk.delete' },
  exportLinks: { page: '/links', control: 'links.export', by: '/graphql/links.csv' },
  linkQr: { page: '/links', control: 'links.menu.qr', by: 'qrcode' },
  traceLink: { page: '/links/$linkId', control: 'link.tabs.routing' },
  reviewLink: { page: '/links/$linkId', control: 'link.flagged.review' },
  // imports
  imports: { page: '/imports', control: 'imports.title' },
  import: { page: '/imports/$importId', control: 'imports.title' },
  startImport: { page: '/imports/new', control: 'imports.check', by: '/graphql/imports' },
  cancelImport: { page: '/imports/$importId', control: 'imports.cancel' },
  importErrors: { page: '/imports/$importId', control: 'imports.outcomes.failed', by: 'importRows' },
  importRowsCsv: { page: '/imports/$importId', control: 'imports.failures', by: '/graphql/imports' },
  // figures
  analytics: { page: '/analytics', control: 'analytics.title' },
  // webhooks
  webhooks: { page: '/webhooks', control: 'webhooks.title' },
  webhook: { page: '/webhooks/$webhookId', control: 'webhooks.title' },
  createWebhook: { page: '/webhooks/new', control: 'webhooks.form.create' },
  updateWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.form.save' },
  deleteWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.settings.delete' },
  enableWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.off.on' },
  disableWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.switchOff' },
  rotateWebhookSecret: { page: '/webhooks/$webhookId', control: 'webhooks.settings.rotate' },
  webhookSecret: { page: '/webhooks/$webhookId', control: 'webhooks.signature.recompute' },
  testWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.test.send' },
  replayWebhook: { page: '/webhooks/$webhookId', control: 'webhooks.replay.action' },
  deliveries: { page: '/webhooks/$webhookId/deliveries', control: 'webhooks.tabs.deliveries' },
  delivery: { page: '/webhooks/$webhookId/deliveries', control: 'webhooks.tabs.deliveries' },
  resendDelivery: { page: '/webhooks/$webhookId/deliveries', control: 'webhooks.deliveries.resend' },
  eventsSince: { why: 'For programs that follow events; people see the list.' },
  events: { page: '/webhooks/events', control: 'webhooks.events.title' },
  // apps
  recordOpen: { why: APPS_SEND },
  recordEvents: { why: APPS_SEND },
  resolveUrl: { why: APPS_SEND },
  // keys
  currentKey: { why: 'What a key may know of itself; people see their keys.' },
  keys: { page: '/api', control: 'api.secret.title' },
  createKey: { page: '/api', control: 'api.new' },
  rollKey: { page: '/api', control: 'api.roll.action' },
  revokeKey: { page: '/api', control: 'api.revoke.action' },
  keepKey: { page: '/api', control: 'api.keep.action' },
  // domains
  domains: { page: '/domains', control: 'domains.title' },
  domain: { page: '/domains/$domainId', control: 'domains.records.title' },
  createDomain: { page: '/domains/new', control: 'domains.form.action' },
  updateDomain: { page: '/domains/$domainId', control: 'domains.destinations.save' },
  verifyDomain: { page: '/domains/$domainId', control: 'domains.records.check' },
  deleteDomain: { page: '/domains/$domainId', control: 'domains.remove.action' },
  // watching
  health: { page: '/health', control: 'watch.title' },
  runHealthChecks: { page: '/health', control: 'watch.run.action' },
  alerts: { page: '/alerts', control: 'watch.alerts.title' },
  acknowledgeAlert: { page: '/alerts', control: 'watch.alerts.acknowledge' },
  resolveAlert: { page: '/alerts', control: 'watch.alerts.resolve' },
  setMailPreferences: { page: '/account/mail', control: 'watch.mail.title' },
  // projects
  projects: { page: '/', control: 'shell.switchProject' },
  project: { page: '/settings', control: 'settings.tabs.project' },
  createProject: { page: '/projects/new', control: 'settings.newProject.action' },
  updateProject: { page: '/settings', control: 'settings.project.save' },
  deleteProject: { page: '/settings', control: 'settings.remove.action' },
  restoreProject: { page: '/team', control: 'team.restore.action' },
  tags: { page: '/settings', control: 'settings.tabs.tags' },
  createTag: { page: '/settings', control: 'settings.tags.new' },
  updateTag: { page: '/settings', control: 'settings.tags.edit' },
  deleteTag: { page: '/settings', control: 'common.delete' },
  // installs
  installs: { page: '/apps/installs', control: 'shell.pages.installs' },
  install: { page: '/apps/installs/$installId', control: 'apps.install.title' },
  installMatch: { page: '/apps/installs/$installId', control: 'apps.install.match' },
  deleteInstall: { page: '/apps/installs/$installId', control: 'apps.install.delete' },
  simulateMatch: { page: '/apps/simulator', control: 'apps.sim.title' },
  // teams
  team: { page: '/team', control: 'team.title', by: 'teams' },
  createTeam: { page: '/teams/new', control: 'team.create.action' },
  updateTeam: { page: '/team', control: 'team.settings.name' },
  createInvitation: { page: '/team', control: 'team.invitations.new' },
  revokeInvitation: { page: '/team', control: 'team.invitations.revoke' },
  changeMemberRole: { page: '/team', control: 'team.members.roleDialog.verb' },
  disableWebhooksOfMember: { page: '/team', control: 'team.ended.disable' },
  removeMember: { page: '/team', control: 'team.members.remove.action' },
  leaveTeam: { page: '/team', control: 'team.members.leave.action' },
  enterSurvivalMode: { page: '/team', control: 'team.survival.enter' },
  leaveSurvivalMode: { page: '/', control: 'shell.leaveSurvival' },
  deleteTeam: { page: '/team', control: 'team.deletion.action' },
  restoreTeam: { page: '/account', control: 'account.deletion.restore' },
  // people
  signIn: { page: '/sign-in', control: 'entrance.signIn' },
  signOut: { page: '/', control: 'shell.signOut' },
  signUp: { page: '/sign-up', control: 'entrance.signUp' },
  confirmEmail: { page: '/confirm-email', control: 'entrance.confirmTitle' },
  requestPasswordReset: { page: '/forgot-password', control: 'entrance.sendLink' },
  resetPassword: { page: '/reset-password', control: 'entrance.setPassword' },
  acceptInvitation: { page: '/invitation', control: 'entrance.join' },
  resendConfirmation: { page: '/account', control: 'entrance.resend' },
  changePassword: { page: '/account', control: 'account.password.change' },
  changeEmail: { page: '/account', control: 'account.email.change' },
  cancelEmailChange: { page: '/account', control: 'account.email.cancel' },
  confirmEmailChange: { page: '/change-email', control: 'entrance.changeEmailTitle' },
  undoEmailChange: { page: '/undo-email-change', control: 'entrance.undoEmail' },
  undoSecondFactor: { page: '/undo-second-factor', control: 'entrance.undoFactor' },
  beginSecondFactor: { page: '/account', control: 'account.factor.turnOn' },
  confirmSecondFactor: { page: '/account', control: 'account.factor.turnOn' },
  newRecoveryCodes: { page: '/account', control: 'account.factor.newCodes' },
  disableSecondFactor: { page: '/account', control: 'account.factor.turnOff' },
  endSession: { page: '/account', control: 'account.sessions.end' },
  signOutEverywhere: { page: '/account', control: 'account.sessions.endOthers' },
  deleteAccount: { page: '/account', control: 'account.deletion.action' },
  restoreAccount: { page: '/sign-in', control: 'entrance.restore' },
};
