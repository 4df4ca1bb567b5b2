import type { Click } from '../../src/clicks/click.ts';
import { database } from '../../src/db/connection/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Link } from '../../src/models/Link.ts';
import { Project } from '../../src/models/Project.ts';
import { Team } from '../../src/models/Team.ts';

/** A project in a team of its own. */
export function makeProject(createdAt = new Date('2026-01-01T00:00:00.000Z')): Promise<Project> {
  return database().transaction(async (transaction) => {
    const team = await Team.create({ id: newId('team'), name: 'Team' }, { transaction });
    const values = { id: newId('prj'), teamId: team.id, name: 'Project', apps: [], createdAt };
    return Project.create(values, { transaction });
  });
}

export function makeLink(projectId: string, values: Partial<Link> = {}): Promise<Link> {
  const id = newId('lnk');
  const required = { id, projectId, domain: 'go.example.com', slug: id, destination: 'https://example.com', data: {} };
  return database().transaction((transaction) => Link.create({ ...required, ...values }, { transaction }));
}

/** A click by a person about whom little is known. */
export function makeClick(values: Partial<Click> & { projectId: string }): Click {
  return {
    id: newId('clk'),
    teamId: 'team_01kaaaaaaaaaaaaaaaaaaaaaaa',
    linkId: 'lnk_01kaaaaaaaaaaaaaaaaaaaaaaa',
    domain: 'go.example.com',
    slug: 'spring',
    occurredAt: Date.parse('2026-11-01T12:00:00.000Z'),
    trafficClass: 'human',
    trafficReason: null,
    country: 'DE',
    region: null,
    city: null,
    platform: 'ios',
    device: 'mobile',
    browser: 'Mobile Safari',
    language: 'de',
    referrerHost: null,
    destination: 'https://example.com',
    rule: null,
    utm: null,
    tagIds: [],
    visitor: 'visitor-1',
    addressHash: 'address-1',
    osVersion: null,
    deviceModel: null,
    ...values,
  };
}
