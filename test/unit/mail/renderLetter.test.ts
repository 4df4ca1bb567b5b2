// stores: none
import { expect } from 'chai';
import type { MailFacts } from '../../../src/mail/mailFacts.ts';
import { writeMail } from '../../../src/mail/mailQueue.ts';
import { type MailContent, oneLine, quotedName, renderLetter } from '../../../src/mail/renderLetter.ts';
import { TEMPLATES } from '../../../src/mail/templates.ts';
import type { Alert } from '../../../src/models/Alert.ts';
import { ALERT_KINDS } from '../../../src/models/alertKinds.ts';

const TO = { address: 'ann@example.com', reference: 'r' };
const AT = new Date('2026-12-01T08:30:00Z');
const HOSTILE = `<img src=x onerror=alert(1)> "quoted" & 'so'\r\nBcc: all@example.com`;

const alertLetter = (kind: Alert['kind'], more: Partial<Alert> = {}) => {
  const facts = { id: 'alt_1', teamId: 'team_1', kind, severity: 'warning', title: 'T', message: 'M', createdAt: AT };
  return TEMPLATES.alert({ alert: { ...facts, ...more } as Alert, teamName: 'Team', projectName: 'Project' });
};

describe('mails', () => {
  const invitation = { teamName: 'Acme', inviterEmail: 'owner@example.com', role: 'admin', expiresAt: AT } as const;
  const url = 'https://svc.example/app/join?token=a&b=c';
  const addresses = { from: 'old@example.com', to: 'new@example.com' };
  const facts: Omit<MailFacts, 'alert'> = {
    alert_digest: { parts: [{ teamId: 'team_1', teamName: 'Acme', kind: 'health', count: 3 }] },
    invitation: { ...invitation, url },
    password_reset: { url, expiresAt: AT },
    confirm_email: { url, expiresAt: AT, at: AT, browser: 'Firefox on Linux' },
    account_exists: {},
    confirm_email_change: { from: addresses.from, url, expiresAt: AT, at: AT },
    email_in_use: {},
    email_changed: { ...addresses, at: AT, url, undoUntil: AT },
    email_change_undone: { ...addresses, deletionAt: AT },
    account_deleted: { deletionAt: AT, isRestorable: true, factorUndoneUntil: AT },
    former_account_deleted: { deletionAt: AT, undoUntil: AT },
    account_restored: {},
    password_changed: {},
    second_factor_on: { url, undoUntil: AT },
    second_factor_undone: { deletionAt: AT },
    second_factor_off: {},
    new_recovery_codes: {},
    recovery_code_used: {},
    new_browser: { browser: null, at: AT },
    project_deleted: { projectName: 'Shop', teamName: 'Acme', teamId: 'team_1', byEmail: TO.address, deletionAt: AT },
    team_deleted: { teamName: 'Acme', byEmail: TO.address, deletionAt: AT },
  };
  const ALL: [string, MailContent][] = [
    ...Object.keys(ALERT_KINDS).map((kind): [string, MailContent] => [
      `alert of ${kind}`,
      renderLetter(alertLetter(kind as Alert['kind'])),
    ]),
    ...(Object.keys(facts) as (keyof typeof facts)[]).map((kind): [string, MailContent] => [
      kind,
      writeMail(kind, TO, facts[kind]),
    ]),
  ];

  for (const [what, { subject, text, html }] of ALL) {
    it(`say the same in text and HTML, without anything from elsewhere: ${what}`, () => {
      expect(subject).to.match(/^\S.{2,149}$/);
      expect(text).to.contain(subject);
      expect(html).to.contain('<html lang="en"').and.contain('name="color-scheme" content="light dark"');
      expect(html).to.not.match(/<img|<script|<link|@import|url\(|src=/i);
      const words = html
        .replace(/<style>.*<\/style>/, '')
        .replace(/<[^>]+>/g, ' ')
        .replaceAll('&amp;', '&')
        .replaceAll('&#39;', "'");
      for (const line of text.split('\n').filter((part) => part.length > 20 && !/^Choose|: |^http/.test(part))) {
        expect(words).to.contain(line.replace(/:$/, ''));
      }
      for (const [found] of text.matchAll(/https?:\S+/g)) {
        expect(html).to.contain(`href="${found.replaceAll('&', '&amp;')}"`);
      }
    });
  }

  it('name who invites to what, as what and until when', () => {
    const { kind, address, reference, subject, text } = writeMail('invitation', TO, { ...invitation, url });
    expect({ kind, address, reference }).to.deep.equal({ kind: 'invitation', ...TO });
    expect(subject).to.equal('Join Acme');
    expect(text).to.contain('owner@example.com has invited you to join the team Acme as an admin');
    expect(text).to.contain(url).and.contain('2026-12-01 08:30 UTC');
  });

  it('show what others chose as it is written, and let it be nothing else', () => {
    const { subject, text, html } = renderLetter(alertLetter('health', { title: HOSTILE, message: HOSTILE }));
    expect(subject).to.not.match(/[\r\n]/);
    expect(subject).to.match(/^<img src=x onerror=alert\(1\)> "quoted" & 'so' Bcc: all@example\.com/);
    expect(text).to.contain(`<img src=x onerror=alert(1)> "quoted" & 'so'`);
    expect(html).to.not.contain('<img');
    expect(html).to.contain('&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;so&#39;');
  });

  it('let no name be a link, steer a terminal or turn the text around', () => {
    expect(quotedName('Win at https://evil.example/x now. Yes')).to.equal(
      'Win at https:\u2060/\u2060/\u2060evil.\u2060example/\u2060x now. Yes',
    );
    expect(oneLine('a\u202eb\u0007c\u2066d\n\te', 20)).to.equal('a b c d e');
    expect(oneLine('👩🏽'.repeat(50), 9))
      .to.have.length.below(20)
      .and.match(/…$/);
  });

  it('lead to the page of the alert, and to where mails of alerts are chosen', () => {
    const { text } = renderLetter(alertLetter('webhook_disabled'));
    expect(text)
      .to.match(/\/app\/alerts\/alt_1$/m)
      .and.match(/Choose which emails you receive: .*\/app\/account\/mail\?team=team_1$/m);
    expect(writeMail('password_reset', TO, { url, expiresAt: AT }).text).to.not.contain('Choose which');
  });
});
