// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { type Asker, Slots } from '../../../src/webhooks/worker/Slots.ts';

const asker = (webhook: number, team = webhook, most = 10): Asker => ({
  webhookId: `whk_${webhook}`,
  teamId: `team_${team}`,
  most,
});

/** Takes until it gets nothing more; gives how many that were. */
function takeAll(slots: Slots, who: Asker): number {
  let taken = 0;
  while (slots.take(who)) taken += 1;
  return taken;
}

describe('the slots of a process', () => {
  const alone: [total: number, most: number][] = [
    [10, 6],
    [20, 9],
    [100, 10],
    [500, 10],
  ];
  for (const [total, most] of alone) {
    it(`give a webhook that is alone ${most} of ${total}`, () => {
      const slots = new Slots(total);
      expect(slots.open(asker(1))).to.be.at.least(1);
      expect(takeAll(slots, asker(1))).to.equal(most);
      expect(slots.inUse).to.equal(most);
      expect(slots.open(asker(1))).to.equal(0);
    });
  }

  it('give a webhook its ten as long as half of all are free', () => {
    const slots = new Slots(500);
    for (let webhook = 0; webhook < 20; webhook += 1) expect(takeAll(slots, asker(webhook))).to.equal(10);
    for (let webhook = 20; webhook < 40; webhook += 1) takeAll(slots, asker(webhook));
    expect(takeAll(slots, asker(40))).to.be.within(1, 9);
  });

  const crowds: [what: string, total: number, webhooks: number, teamOf: (webhook: number) => number][] = [
    ['70 webhooks of as many teams', 500, 70, (webhook) => webhook],
    ['60 webhooks of one team', 500, 60, () => 0],
    ['80 webhooks of eight teams', 500, 80, (webhook) => webhook % 8],
    ['2 webhooks of one team', 10, 2, () => 0],
    ['6 webhooks of one team', 20, 6, () => 0],
  ];
  for (const [what, total, webhooks, teamOf] of crowds) {
    it(`leave one of ${total} for a newcomer while ${what} hang`, () => {
      const slots = new Slots(total);
      for (let webhook = 0; webhook < webhooks; webhook += 1) takeAll(slots, asker(webhook, teamOf(webhook)));
      expect(slots.take(asker(999))).to.equal(true);
    });
  }

  it('give a webhook that is alone what it may have, and of a few no more than three quarters', () => {
    expect(takeAll(new Slots(500), asker(1, 1, 100))).to.equal(100);
    expect(takeAll(new Slots(20), asker(1, 1, 100))).to.be.within(9, 15);
    expect(takeAll(new Slots(500), asker(1, 1, 3))).to.equal(3);
  });

  const greedy: [what: string, webhooks: number, teamOf: (webhook: number) => number][] = [
    ['of one team', 30, () => 0],
    ['of three teams', 30, (webhook) => webhook % 3],
    ['of as many teams', 30, (webhook) => webhook],
  ];
  for (const [what, webhooks, teamOf] of greedy) {
    it(`leave one for a newcomer while webhooks ${what} that may have a hundred each hang`, () => {
      const slots = new Slots(500);
      for (let webhook = 0; webhook < webhooks; webhook += 1) takeAll(slots, asker(webhook, teamOf(webhook), 100));
      expect(slots.take(asker(999))).to.equal(true);
      // Also within a team that has taken all that it may.
      expect(slots.take(asker(998, teamOf(0)))).to.equal(true);
    });
  }

  it('give every webhook nearly its ten although others of a hundred each hang', () => {
    const slots = new Slots(500);
    for (let webhook = 0; webhook < 20; webhook += 1) slots.take(asker(webhook, webhook, 100));
    for (let webhook = 0; webhook < 5; webhook += 1) takeAll(slots, asker(webhook, webhook, 100));
    expect(slots.inUse).to.be.within(150, 250);
    for (let webhook = 20; webhook < 25; webhook += 1) expect(takeAll(slots, asker(webhook))).to.be.at.least(7);
  });

  it('call those of another team first, however many requests a webhook may have', () => {
    const slots = new Slots(20);
    const [greedy, other] = [asker(1, 1, 100), asker(2, 2)];
    const taken = takeAll(slots, greedy);
    const rest = Array.from({ length: 20 }, (_, at) => asker(100 + at, 100 + at));
    for (const one of rest) takeAll(slots, one);
    const called: string[] = [];
    slots.whenOpen(greedy, () => called.push('greedy'));
    slots.whenOpen(other, () => called.push('other'));
    for (let given = 0; given < taken && called.length === 0; given += 1) slots.giveBack(greedy);
    expect(called[0]).to.equal('other');
  });

  it('let a team have no more than three quarters, however often it asks', () => {
    const slots = new Slots(100);
    const team = Array.from({ length: 9 }, (_, webhook) => asker(webhook, 0));
    for (const who of team) slots.take(who);
    for (let round = 0; round < 5; round += 1) for (const who of team) takeAll(slots, who);
    expect(slots.inUse).to.be.within(60, 75);
    expect(takeAll(slots, asker(99))).to.be.at.least(4);
  });

  it('call who waits when one is given back: first whose team, then whose webhook holds the fewest', () => {
    const slots = new Slots(10);
    const has = [asker(1, 1), asker(2, 1), asker(3, 2), asker(4, 3)] as const;
    for (const who of [has[0], has[0], has[1], has[2]]) slots.take(who);
    for (let webhook = 10; webhook < 16; webhook += 1) expect(slots.take(asker(webhook))).to.equal(true);
    const called: string[] = [];
    // Whoever is called takes nothing, so that all are called.
    for (const who of has) slots.whenOpen(who, () => called.push(who.webhookId));
    for (let webhook = 10; webhook < 16; webhook += 1) slots.giveBack(asker(webhook));
    expect(called[0]).to.equal(has[3].webhookId);
    expect(called).to.have.members(has.map(({ webhookId }) => webhookId));
    expect(called.indexOf(has[2].webhookId)).to.be.below(called.indexOf(has[1].webhookId));
    expect(called.indexOf(has[1].webhookId)).to.be.below(called.indexOf(has[0].webhookId));
  });

  it('call only once, only who has to do without, and nobody who waits no more', () => {
    const slots = new Slots(1);
    const called: number[] = [];
    slots.whenOpen(asker(1), () => called.push(1));
    slots.take(asker(1));
    slots.whenOpen(asker(2), () => called.push(2));
    slots.whenOpen(asker(2), () => called.push(22));
    slots.whenOpen(asker(3), () => called.push(3));
    slots.forget(asker(3));
    slots.giveBack(asker(1));
    expect(called).to.deep.equal([22]);
    slots.take(asker(1));
    slots.giveBack(asker(1));
    expect(called).to.deep.equal([22]);
  });

  it('keep the place of who waits when one is called before that takes the last', () => {
    const slots = new Slots(1);
    const called: number[] = [];
    slots.take(asker(0));
    const want = (webhook: number) =>
      slots.whenOpen(asker(webhook), () => {
        called.push(webhook);
        slots.take(asker(webhook));
      });
    for (const webhook of [1, 2, 3]) want(webhook);
    for (const webhook of [0, 1, 2, 3]) slots.giveBack(asker(webhook));
    expect(called).to.deep.equal([1, 2, 3]);
    expect(slots.inUse).to.equal(0);
  });

  const step = fc.record({
    does: fc.constantFrom('take', 'take', 'takeAll', 'giveBack', 'giveBack', 'wait', 'waitAndTake', 'forget'),
    webhook: fc.nat({ max: 24 }),
  });

  it('balance whatever is asked: none too many, none lost, nobody forgotten', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.array(step, { maxLength: 300, size: 'max' }), (total, steps) => {
        const slots = new Slots(total);
        const held = new Map<string, number>();
        const waiting = new Map<string, Asker>();
        const taken = (who: Asker) => {
          const mine = held.get(who.webhookId) ?? 0;
          const [open, free] = [slots.open(who), total - slots.inUse];
          const isTaken = slots.take(who);
          expect(isTaken).to.equal(open > 0);
          const byTeam = [...held].reduce(
            (sum, [id, count]) => (`team_${Number(id.slice(4)) % 4}` === who.teamId ? sum + count : sum),
            0,
          );
          if (byTeam === 0) expect(isTaken, 'a team that has none').to.equal(free > 0);
          else if (mine === 0 && free > Math.ceil(total / 10))
            expect(isTaken, 'a webhook that has none').to.equal(true);
          if (isTaken) held.set(who.webhookId, mine + 1);
          return isTaken;
        };
        const wait = (who: Asker, call: () => void) => {
          if (slots.open(who) === 0) waiting.set(who.webhookId, who);
          slots.whenOpen(who, () => {
            expect(waiting.delete(who.webhookId), 'called, and did not wait').to.equal(true);
            expect(slots.open(who), 'called in vain').to.be.above(0);
            call();
          });
        };
        for (const { does, webhook } of steps) {
          const who = asker(webhook, webhook % 4);
          const mine = held.get(who.webhookId) ?? 0;
          if (does === 'take') taken(who);
          else if (does === 'takeAll') while (taken(who));
          else if (does === 'wait') wait(who, () => {});
          else if (does === 'waitAndTake') wait(who, () => taken(who));
          else if (does === 'giveBack' && mine > 0) {
            held.set(who.webhookId, mine - 1);
            slots.giveBack(who);
          } else if (does === 'forget') {
            slots.forget(who);
            waiting.delete(who.webhookId);
          }
          const sum = [...held.values()].reduce((one, other) => one + other, 0);
          expect(slots.inUse).to.equal(sum).and.to.be.at.most(total);
          expect(Math.max(0, ...held.values())).to.be.at.most(10);
          for (const other of waiting.values()) expect(slots.open(other), 'waits, and could take').to.equal(0);
        }
        for (const [webhookId, count] of held) {
          const who = asker(Number(webhookId.slice(4)), Number(webhookId.slice(4)) % 4);
          for (let left = count; left > 0; left -= 1) slots.giveBack(who);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are all free again when all is given back, so that everybody may have what they could at first', () => {
    const slots = new Slots(40);
    const first = takeAll(slots, asker(0, 0));
    const others = Array.from({ length: 9 }, (_, at) => takeAll(slots, asker(at + 1, at % 3)));
    [first, ...others].forEach((count, webhook) => {
      const who = asker(webhook, webhook === 0 ? 0 : (webhook - 1) % 3);
      for (let left = count; left > 0; left -= 1) slots.giveBack(who);
    });
    expect(slots.inUse).to.equal(0);
    expect(takeAll(slots, asker(0, 0))).to.equal(first);
  });
});
