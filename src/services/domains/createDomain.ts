import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { lockNames } from '../../db/lockNames.ts';
import { type Transaction, UniqueConstraintError } from '../../db/sequelize.ts';
import { readHostname } from '../../domains/hostname.ts';
import { heldProblem, isSafeFrom } from '../../domains/judge.ts';
import { surroundingsOf } from '../../domains/rivals.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { Domain } from '../../models/Domain.ts';
import { aboutDomain } from './aboutDomain.ts';
import type { NewDomain } from './domainInput.ts';
import { scanDestinations } from './scanDestinations.ts';

/** Of the text that proves a domain: nobody guesses it. */
const TOKEN_BYTES = 24;

/**
 * Adds a domain to a project; it does nothing before it is verified. Throws `validation_failed`, `destination_refused`,
 * `account_limit_reached`, and `conflict` for a host name that the project has already or that is verified elsewhere.
 */
export async function createDomain(principal: Principal, { projectId, ...input }: NewDomain): Promise<Domain> {
  const project = await authorizeProject(principal, 'domains:write', projectId);
  const hostname = checkHostname(input);
  await scanDestinations(hostname, input);
  try {
    return await inTransaction(async (transaction) => {
      await lockNames([`domains of ${project.id}`], transaction);
      await refuseTooMany(project.id, transaction);
      const kind = input.kind ?? 'link';
      await refuseHeld({ hostname, kind }, project.teamId, transaction);
      const domain = await Domain.create(
        {
          id: newId('dom'),
          projectId: project.id,
          hostname,
          kind,
          verificationToken: randomToken(TOKEN_BYTES),
          verifiedBy: null,
          seen: null,
          problem: null,
          checkedAt: null,
          verifiedAt: null,
          nextCheckAt: inSeconds(config.domainRetrySeconds[0] ?? config.domainRecheckSeconds),
          rootDestination: input.rootDestination ?? null,
          notFoundDestination: input.notFoundDestination ?? null,
          expiredDestination: input.expiredDestination ?? null,
          createdAt: now(),
        },
        { transaction },
      );
      await recordAudit(transaction, principal, { ...aboutDomain(domain, project), action: 'domain.created' });
      await announce(transaction, 'domain', hostname);
      return domain;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw new CodedError('conflict', `This project has the domain ${hostname} already.`);
  }
}

/** The host name in its one form. Throws `validation_failed`. */
export function checkHostname({ hostname }: { hostname: string }): string {
  const read = readHostname(hostname);
  if ('problem' in read) throw validationFailed([{ path: 'hostname', message: read.problem }]);
  return read.hostname;
}

async function refuseTooMany(projectId: string, transaction: Transaction): Promise<void> {
  const most = config.domainsPerProject;
  if ((await Domain.count({ where: { projectId }, transaction })) < most) return;
  const message = `This project has ${most} domains, which is the most that one can have. Delete one that is not needed.`;
  throw new CodedError('account_limit_reached', message);
}

/** What could never be verified here, whatever its DNS said, is not added. */
async function refuseHeld(
  claim: Pick<Domain, 'hostname' | 'kind'>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  const { rivals } = await surroundingsOf({ id: null, hostname: claim.hostname }, teamId, transaction);
  if (rivals.some((rival) => isSafeFrom(claim, rival))) throw new CodedError('conflict', heldProblem(claim));
}
