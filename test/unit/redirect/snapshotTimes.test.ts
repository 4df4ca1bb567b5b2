// stores: none
import { expect } from 'chai';
import { SnapshotTimes } from '../../../src/redirect/SnapshotTimes.ts';

const EVERY_MS = 300_000;

describe('when a snapshot of links is due', () => {
  let nowMs: number;
  let hears: boolean;
  let times: SnapshotTimes;

  beforeEach(() => {
    [nowMs, hears] = [1000, true];
    times = new SnapshotTimes(
      EVERY_MS,
      () => hears,
      () => nowMs,
    );
  });
  const write = (isWritten = true) => {
    times.begin();
    times.end(isWritten);
  };

  it('is due at the start as soon as changes are heard, or after a while without', () => {
    expect(times.inMs()).to.equal(0);
    hears = false;
    expect(times.inMs()).to.equal(5000);
    nowMs += 5000;
    expect(times.inMs()).to.equal(0);
  });

  it('is due from time to time if something has changed, and each hour if nothing has', () => {
    write();
    expect(times.inMs()).to.equal(3_600_000);
    nowMs += 10_000;
    expect(times.change()).to.equal(true);
    expect(times.change()).to.equal(false);
    expect(times.inMs()).to.equal(EVERY_MS - 10_000);
  });

  it('counts what changes while it is written, and is due again if it could not be written', () => {
    times.begin();
    times.change();
    times.end(true);
    expect(times.hasChanged).to.equal(true);
    write();
    expect(times.hasChanged).to.equal(false);
    write(false);
    expect(times.inMs()).to.equal(EVERY_MS);
  });

  it('is due early when changes may have been missed, less early each time in a row', () => {
    write();
    nowMs += 60_000;
    times.hurry();
    expect(times.inMs()).to.equal(0);
    const pauses = [];
    for (let at = 0; at < 7; at += 1) {
      write();
      times.hurry();
      pauses.push(times.inMs());
    }
    expect(pauses).to.deep.equal([20_000, 40_000, 80_000, 160_000, EVERY_MS, EVERY_MS, EVERY_MS]);
    write(false);
    expect(times.inMs()).to.equal(EVERY_MS);
    write();
    write();
    nowMs += 9000;
    times.hurry();
    expect(times.inMs()).to.equal(1000);
  });
});
