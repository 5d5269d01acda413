import type { Banner } from '../ads/banner.js';
import type { FullscreenAd } from '../ads/fullscreen-ad.js';
import type { LoadOutcome, NoAd } from '../ads/loader.js';
import { PlacardError } from '../domain/errors.js';
import type { PlacementConfig } from '../domain/wire.js';
import { bannerView } from '../dom/banner-view.js';
import { fullscreenView } from '../dom/fullscreen-view.js';
import { memoryStore } from '../io/event-store.js';
import { detectPlatform } from '../io/platform.js';
import { Placard } from '../placard.js';
import { listCall } from './call-log.js';
import { element, make, typed } from './elements.js';
import { showExplanation } from './explanation.js';
import { appsOf, explain, type KnownApp } from './operator.js';
import { Timers } from './timers.js';

/** The phone: one client and what it shows. */
interface Phone {
  readonly placard: Placard;
  readonly fullscreen: Map<string, FullscreenAd>;
  banner: { readonly shown: Banner; readonly of: PlacementConfig } | null;
  isLoadingBanner: boolean;
}

/** Header with the country. `npm start` sets `COUNTRY_HEADER` to it; other gateways do not read it. */
const COUNTRY_HEADER = 'x-country';
/** The screen of the drawn phone in pixels; page.css has the same size. */
const SCREEN = { width: 360, height: 640 };
/** Height of a banner of unknown size, in pixels. */
const BANNER_HEIGHT = 50;
const TICK_MS = 500;
/** Keeps what the address has typed while the tab is open, so that the page can be loaded again. */
const TYPED_ITEM = 'placard.try';

const { clock } = detectPlatform();
const settings = element('settings', HTMLFormElement);
const keyField = element('key', HTMLInputElement);
const appKeyField = element('app-key', HTMLInputElement);
const packageField = element('package', HTMLInputElement);
const appChoice = element('known-app', HTMLSelectElement);
const startButton = element('start', HTMLButtonElement);
const placementChoice = element('placement', HTMLSelectElement);
const loadButton = element('load', HTMLButtonElement);
const showButton = element('show', HTMLButtonElement);
const phoneScreen = element('screen', HTMLDivElement);
const bannerPlace = element('banner', HTMLDivElement);
let apps: readonly KnownApp[] = [];
let phone: Phone | null = null;
let timers = new Timers(clock);

settings.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(start);
});
settings.addEventListener('input', ({ target }) => {
  if (target !== keyField && phone !== null) endSession('The settings have changed. Start a session.');
});
keyField.addEventListener('change', () => void run(offerApps));
appChoice.addEventListener('change', fillApp);
placementChoice.addEventListener('change', choose);
loadButton.addEventListener('click', () => void run(load));
showButton.addEventListener('click', () => void run(show));
setInterval(showTimers, TICK_MS);
say('');
startButton.disabled = false;
typeFromAddress();
void run(offerApps);
showTimers();

/** Types what the address says after its #. The address bar, the history and a screenshot need not have the key. */
function typeFromAddress(): void {
  if (location.hash !== '') {
    sessionStorage.setItem(TYPED_ITEM, location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  const said = new URLSearchParams(sessionStorage.getItem(TYPED_ITEM) ?? '');
  keyField.value = said.get('key') ?? '';
  appKeyField.value = said.get('app') ?? '';
  packageField.value = said.get('package') ?? '';
}

/** Offers the apps that the operator's key may list. */
async function offerApps(): Promise<void> {
  const key = typed('key');
  apps = [];
  let fault = '';
  try {
    if (key !== undefined) apps = await appsOf(key);
  } catch (error) {
    fault = reasonOf(error);
  }
  element('key-fault', HTMLParagraphElement).textContent = fault;
  keyField.setAttribute('aria-invalid', String(fault !== ''));
  element('choice', HTMLDivElement).hidden = apps.length === 0;
  if (apps.length === 0) return;
  appChoice.replaceChildren(...apps.map(({ id }) => new Option(id, id)), new Option('another', ''));
  appChoice.value = knownApp()?.id ?? (appKeyField.value === '' ? (apps[0]?.id ?? '') : '');
  fillApp();
}

/** The known app whose key is typed. */
function knownApp(): KnownApp | undefined {
  return apps.find(({ app_key }) => app_key === typed('app-key'));
}

function fillApp(): void {
  const app = apps.find(({ id }) => id === appChoice.value);
  if (app === undefined) return;
  appKeyField.value = app.app_key;
  packageField.value = app.package_name;
}

/** Runs what a person asked for, and says what went wrong. */
async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    say(error instanceof PlacardError ? `${error.code}: ${error.message}` : reasonOf(error), 'bad');
  } finally {
    fitButtons();
  }
}

/** Starts the client anew with what the form says. */
async function start(): Promise<void> {
  endSession('');
  const ofPhone = new Timers(clock);
  timers = ofPhone;
  const language = typed('language');
  const androidVersion = typed('android');
  const placard = new Placard({
    baseUrl: `${location.origin}/v1`,
    appKey: typed('app-key') ?? '',
    packageName: typed('package') ?? '',
    testMode: element('test', HTMLInputElement).checked,
    testNoFill: element('no-fill', HTMLInputElement).checked,
    screen: SCREEN,
    eventStore: memoryStore(),
    platform: { fetch: fetchFromCountry(typed('country')) },
    onCall: (call) => {
      ofPhone.noteCall(call);
      listCall(call);
    },
    ...(language === undefined ? {} : { language }),
    ...(androidVersion === undefined ? {} : { androidVersion }),
  });
  placard.onEvent((outcome) => ofPhone.noteEvent(outcome));
  const started: Phone = { placard, fullscreen: new Map(), banner: null, isLoadingBanner: false };
  phone = started;
  startButton.disabled = true;
  try {
    const { placements } = await placard.start();
    if (phone !== started) return;
    placementChoice.replaceChildren(
      ...placements.map(({ code, format }) => new Option(`${code} (${format})`, code)),
    );
    // A banner needs one press to be seen.
    const first = placements.find((one) => one.format === 'banner' && one.service_enabled) ?? placements[0];
    placementChoice.value = first?.code ?? '';
    element('app-name', HTMLParagraphElement).textContent = typed('package') ?? '';
    say(placements.length === 0 ? 'The app has no placement.' : 'Choose a placement.');
  } finally {
    startButton.disabled = false;
  }
}

/** Ends the session. What its events still need is sent. */
function endSession(text: string): void {
  if (phone !== null) {
    const { placard, banner } = phone;
    banner?.shown.stop();
    void placard.drained().then(() => placard.close());
  }
  phone = null;
  placementChoice.replaceChildren();
  bannerPlace.replaceChildren();
  element('app-name', HTMLParagraphElement).textContent = 'No session';
  showExplanation(null);
  say(text);
  fitButtons();
}

/** The country comes from the network, so the page pretends to be a proxy that knows it. */
function fetchFromCountry(country: string | undefined): typeof fetch {
  if (country === undefined) return (...args) => fetch(...args);
  const header = { [COUNTRY_HEADER]: country.toUpperCase() };
  return (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), ...header } });
}

function placement(): PlacementConfig | undefined {
  return phone?.placard.session?.placements.find(({ code }) => code === placementChoice.value);
}

/** Another placement is chosen: what was said is about the former. */
function choose(): void {
  say('');
  showExplanation(null);
  fitButtons();
  showTimers();
}

function isChosen({ code }: PlacementConfig): boolean {
  return placement()?.code === code;
}

function fitButtons(): void {
  const format = placement()?.format;
  const state = adOf(phone, placement())?.state;
  placementChoice.disabled = placementChoice.options.length === 0;
  const isBusy = format === 'banner' ? phone?.isLoadingBanner : state === 'loading' || state === 'showing';
  loadButton.disabled = format === undefined || isBusy === true;
  loadButton.textContent = format === 'banner' ? 'Show the banner' : 'Load';
  showButton.hidden = format === 'banner';
  showButton.disabled = state !== 'ready';
}

/** The full-screen ad of a placement; undefined for a banner. */
function adOf(on: Phone | null, chosen: PlacementConfig | undefined): FullscreenAd | undefined {
  if (on === null || chosen === undefined || chosen.format === 'banner') return undefined;
  const { fullscreen, placard } = on;
  let ad = fullscreen.get(chosen.code);
  if (ad === undefined) {
    ad = placard.fullscreen(chosen.code);
    ad.onState(fitButtons);
    fullscreen.set(chosen.code, ad);
  }
  return ad;
}

async function load(): Promise<void> {
  const [on, chosen] = [phone, placement()];
  if (on === null || chosen === undefined) return;
  showExplanation(null);
  say('loading …');
  if (chosen.format === 'banner') return loadBanner(on, chosen);
  const outcome = await adOf(on, chosen)?.load();
  if (phone !== on) return;
  if (outcome?.noAd) await sayNoAd(chosen, outcome.noAd);
  else if (outcome) sayLoaded(chosen, outcome);
}

/** Shows a banner, which is replaced from time to time. A replacement without an ad is said too. */
async function loadBanner(on: Phone, chosen: PlacementConfig): Promise<void> {
  on.banner?.shown.stop();
  const view = bannerView(bannerPlace, { onNoAd: (noAd) => void sayNoAd(chosen, noAd) });
  const banner = on.placard.banner(chosen.code, {
    clear: view.clear,
    draw: (impression) => {
      bannerPlace.style.height = `${impression.ad.height ?? BANNER_HEIGHT}px`;
      return view.draw(impression);
    },
  });
  on.banner = { shown: banner, of: chosen };
  // Each press asks for an ad, so a double click must not be two.
  on.isLoadingBanner = true;
  fitButtons();
  const outcome = await banner.start().finally(() => (on.isLoadingBanner = false));
  // An ad that could not be drawn has been said by then, and an ended session has no banner.
  if (outcome === null || !bannerPlace.hasChildNodes()) return;
  sayLoaded(chosen, outcome);
  // A banner counts as shown only when it is in view.
  bannerPlace.scrollIntoView({ block: 'nearest' });
}

function sayLoaded(of: PlacementConfig, { loaded }: LoadOutcome): void {
  if (loaded !== null && isChosen(of))
    say(`${loaded.ad.campaign_id}, ${loaded.ad.creative_id}, ${loaded.requestId}`, 'good');
}

async function show(): Promise<void> {
  const [on, chosen] = [phone, placement()];
  const ad = adOf(on, chosen);
  if (ad === undefined || chosen === undefined) return;
  phoneScreen.scrollIntoView({ block: 'nearest' });
  const { isRewarded, noAd } = await ad.show(fullscreenView(phoneScreen));
  if (phone !== on) return;
  if (noAd !== null) await sayNoAd(chosen, noAd);
  else say(isRewarded ? 'closed, rewarded' : 'closed', 'good');
}

/** Says why there is no ad, and how each campaign would be judged, where the operator's key may ask. */
async function sayNoAd(of: PlacementConfig, noAd: NoAd): Promise<void> {
  if (!isChosen(of)) return;
  const { reason, noFill, error, partnerAdUnitId } = noAd;
  const unit = partnerAdUnitId === null ? '' : `; the app would use ${partnerAdUnitId} of the other network`;
  const detail = error === null ? '' : ` (${error.message})`;
  say(`no ad: ${noFill ?? error?.code ?? reason}${detail}${unit}`, 'bad');
  const key = typed('key');
  const app = knownApp();
  // Campaigns decide neither about a test ad nor about a forced no-fill.
  const isTest = element('test', HTMLInputElement).checked || noFill === 'test_no_fill';
  if (key === undefined || app === undefined || isTest) return;
  const asked = {
    app: app.id,
    placement: of.code,
    country: typed('country')?.toUpperCase(),
    language: typed('language'),
    androidVersion: typed('android'),
    screen: `${SCREEN.width}x${SCREEN.height}`,
  };
  const asking = phone;
  const explanation = await explain(key, asked).catch((why: unknown) => `No explanation: ${reasonOf(why)}`);
  if (phone === asking && isChosen(of)) showExplanation(explanation);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function say(text: string, className = ''): void {
  const outcome = element('outcome', HTMLParagraphElement);
  outcome.textContent = text;
  outcome.className = className;
}

function showTimers(): void {
  const session = phone?.placard.session ?? null;
  const chosen = placement();
  const banner = phone?.banner?.of;
  const shown = {
    placement: chosen?.code ?? null,
    refreshSeconds: banner && banner.code === chosen?.code ? banner.banner_refresh_seconds : null,
    adState: adOf(phone, chosen)?.state ?? null,
  };
  const cells = timers.rows(session, shown).flatMap(([name, value]) => [make('dt', name), make('dd', value)]);
  element('facts', HTMLDListElement).replaceChildren(...cells);
}
