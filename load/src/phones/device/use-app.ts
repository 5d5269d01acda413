import type { Impression, LoadOutcome } from '@placard/sdk';
import type { Book } from '../domain/book.js';
import type { AwayStep, BannerStep, FullscreenStep, LoopStep, Step } from '../domain/day.js';
import type { AppProcess } from './app-process.js';

/** What a user needs to use an app. */
export interface UserDeps {
  readonly app: AppProcess;
  readonly book: Book;
  /** The user will tap on this ad; called before it is shown. */
  readonly onWillTap: (requestId: string) => void;
}

/**
 * A session has at most this many ad requests: with them all, and some that are under way, it is below the fraud rule of 30 a
 * minute, however fast the phone's time is. Contract: docs/contract/fraud-rules.md#rules.
 */
const REQUESTS_MAX = 22;
/** Time until an ad that is on screen counts as shown, and from there to a tap. */
const SEEN_AFTER_MS = 1_000;
const TAP_AFTER_MS = 2_000;

/** Does one step of a visit. Resolves with false when the user leaves the app, because it has asked for enough ads. */
export async function doStep(step: Step, user: UserDeps): Promise<boolean> {
  if (user.app.requests >= REQUESTS_MAX) return false;
  switch (step.kind) {
    case 'banner':
      await lookAtBanner(step, user);
      return true;
    case 'fullscreen':
      await playToAd(step, user);
      return true;
    case 'away':
      await lookAway(step, user);
      return true;
    case 'loop':
      await askInLoop(step, user);
      return false;
  }
}

async function lookAway({ awayMs }: AwayStep, { app }: UserDeps): Promise<void> {
  app.turn(false);
  await app.pass(awayMs);
  app.turn(true);
}

async function askInLoop({ code, format, count }: LoopStep, { app, book }: UserDeps): Promise<void> {
  for (let asked = 0; asked < count; asked += 1) {
    const outcome = await (format === 'banner' ? loadBanner(code, app) : app.placard.fullscreen(code).load());
    if (outcome?.loaded) book.note('ads not shown');
  }
}

/** Loads a banner that never comes into view. */
async function loadBanner(code: string, { placard }: AppProcess): Promise<LoadOutcome | null> {
  const banner = placard.banner(code, { draw: () => Promise.resolve(), clear: () => undefined });
  try {
    return await banner.start();
  } finally {
    banner.stop();
  }
}

async function lookAtBanner(step: BannerStep, user: UserDeps): Promise<void> {
  const { app, book } = user;
  let isOpen = true;
  const close = (): void => {
    isOpen = false;
    banner.stop();
  };
  const leaveWhenEnough = (): void => {
    if (app.requests >= REQUESTS_MAX) close();
  };
  const banner = app.placard.banner(step.code, {
    draw: (impression) => {
      const isShown = (): boolean => isOpen && step.isSeen;
      void look(impression, step.taps, isShown, user).then(leaveWhenEnough);
      return Promise.resolve();
    },
    clear: (noAd) => {
      if (noAd === null) return;
      book.note('banners without an ad');
      leaveWhenEnough();
    },
  });
  await banner.start();
  await app.pass(step.openMs);
  close();
}

async function playToAd(step: FullscreenStep, user: UserDeps): Promise<void> {
  const { app, book } = user;
  const ad = app.placard.fullscreen(step.code);
  const { loaded } = await ad.load();
  await app.pass(step.playMs);
  if (loaded === null) return;
  if (step.fate === 'drops' || ad.state !== 'ready') {
    book.note('ads not shown');
    return;
  }
  await ad.show(async (impression) => {
    if (step.fate === 'breaks') {
      book.note('ads not shown');
      throw new Error('the ad cannot be drawn');
    }
    await look(impression, step.taps, () => true, user);
    await app.pass(step.watchMs);
    if (impression.ad.format !== 'rewarded') return;
    book.did('reward', impression.requestId, step.isFinished);
    await impression.completed(step.isFinished);
  });
}

/** The ad comes on screen, unless the user has left by then, and the user may tap on it. */
async function look(
  impression: Impression,
  taps: boolean,
  isShown: () => boolean,
  { app, book, onWillTap }: UserDeps,
): Promise<void> {
  const { requestId } = impression;
  await app.pass(SEEN_AFTER_MS);
  if (!isShown()) {
    book.note('ads not shown');
    return;
  }
  if (taps) onWillTap(requestId);
  book.did('impression', requestId);
  await impression.shown();
  if (!taps) return;
  await app.pass(TAP_AFTER_MS);
  book.did('click', requestId);
  await impression.clicked();
}
