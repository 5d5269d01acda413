import type { Banner } from '../ads/banner.js';
import type { FullscreenAd } from '../ads/fullscreen-ad.js';
import type { LoadOutcome, NoAd } from '../ads/loader.js';
import { PlacardError } from '../domain/errors.js';
import { leftMs, type Span } from '../domain/time.js';
import type { PlacementConfig } from '../domain/wire.js';
import { bannerView } from '../dom/banner-view.js';
import { fullscreenView } from '../dom/fullscreen-view.js';
import { memoryStore } from '../io/event-store.js';
import { detectPlatform } from '../io/platform.js';
import { Placard } from '../placard.js';
import { listCall } from './call-log.js';
import { element, make, typed } from './elements.js';
import { appsOf, explain } from './operator.js';

/** Header with the country. `npm start` sets `COUNTRY_HEADER` to it; other gateways do not read it. */
const COUNTRY_HEADER = 'x-country';

/** The phone: one client and what it shows. */
interface Phone {
  readonly placard: Placard;
  readonly fullscreen: Map<string, FullscreenAd>;
  banner: Banner | null;
  /** The life of the ad that is ready; null without one. */
  adLife: Span | null;
}

const TICK_MS = 500;

const { clock } = detectPlatform();
const screenOfPhone = element('screen', HTMLDivElement);
const bannerPlace = element('banner', HTMLDivElement);
const placementChoice = element('placement', HTMLSelectElement);
const loadButton = element('load', HTMLButtonElement);
const showButton = element('show', HTMLButtonElement);
let phone: Phone | null = null;

void offerApps();
element('settings', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void start();
});
placementChoice.addEventListener('change', () => fitButtons());
loadButton.addEventListener('click', () => void load());
showButton.addEventListener('click', () => void show());
setInterval(tellTimes, TICK_MS);

/** Takes the operator's key from the address, and offers the apps that it may list. */
async function offerApps(): Promise<void> {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  // The address bar, the history and a screenshot need not have it.
  history.replaceState(null, '', location.pathname);
  element('key', HTMLInputElement).value = key;
  const apps = await appsOf(key);
  const choice = element('known-app', HTMLSelectElement);
  choice.replaceChildren(...apps.map(({ id }) => new Option(id, id)), new Option('another', ''));
  const fill = (): void => {
    const app = apps.find(({ id }) => id === choice.value);
    element('app-key', HTMLInputElement).value = app?.app_key ?? '';
    element('package', HTMLInputElement).value = app?.package_name ?? '';
  };
  choice.addEventListener('change', fill);
  fill();
}

/** Starts the client anew with what the form says. */
async function start(): Promise<void> {
  phone?.banner?.stop();
  phone?.placard.close();
  bannerPlace.replaceChildren();
  say('');
  const placard = new Placard({
    baseUrl: `${location.origin}/v1`,
    appKey: typed('app-key') ?? '',
    packageName: typed('package') ?? '',
    testMode: element('test', HTMLInputElement).checked,
    eventStore: memoryStore(),
    platform: { fetch: fetchFromCountry(typed('country')) },
    onCall: listCall,
    ...chosen(),
  });
  phone = { placard, fullscreen: new Map(), banner: null, adLife: null };
  try {
    const { placements } = await placard.start();
    placementChoice.replaceChildren(
      ...placements.map(({ code, format }) => new Option(`${code} (${format})`, code)),
    );
    element('app-name', HTMLParagraphElement).textContent = typed('package') ?? '';
    fitButtons();
  } catch (error) {
    say(error instanceof PlacardError ? `${error.code}: ${error.message}` : String(error), 'bad');
  }
}

function chosen(): { readonly language?: string; readonly androidVersion?: string } {
  const [language, androidVersion] = [typed('language'), typed('android')];
  if (language === undefined) return androidVersion === undefined ? {} : { androidVersion };
  return androidVersion === undefined ? { language } : { language, androidVersion };
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

function fitButtons(): void {
  const format = placement()?.format;
  const state = adOf()?.state;
  loadButton.disabled = format === undefined || state === 'loading' || state === 'showing';
  loadButton.textContent = format === 'banner' ? 'Show the banner' : 'Load';
  showButton.disabled = state !== 'ready';
}

/** The full-screen ad of the chosen placement. */
function adOf(): FullscreenAd | undefined {
  const chosenPlacement = placement();
  if (phone === null || chosenPlacement === undefined || chosenPlacement.format === 'banner')
    return undefined;
  const { fullscreen, placard } = phone;
  let ad = fullscreen.get(chosenPlacement.code);
  if (ad === undefined) {
    ad = placard.fullscreen(chosenPlacement.code);
    ad.onState(() => fitButtons());
    fullscreen.set(chosenPlacement.code, ad);
  }
  return ad;
}

async function load(): Promise<void> {
  const chosenPlacement = placement();
  if (phone === null || chosenPlacement === undefined) return;
  if (chosenPlacement.format === 'banner') {
    phone.banner?.stop();
    const view = bannerView(bannerPlace, { onNoAd: (noAd) => void tellNoAd(noAd) });
    phone.banner = phone.placard.banner(chosenPlacement.code, view);
    tellLoaded(await phone.banner.start());
  } else {
    tellLoaded((await adOf()?.load()) ?? null);
  }
}

function tellLoaded(outcome: LoadOutcome | null): void {
  if (phone !== null) phone.adLife = outcome?.loaded?.life ?? null;
  if (outcome?.loaded) say(`${outcome.loaded.ad.campaign_id}, ${outcome.loaded.requestId}`, 'good');
  else if (outcome?.noAd && placement()?.format !== 'banner') void tellNoAd(outcome.noAd);
}

async function show(): Promise<void> {
  const ad = adOf();
  if (phone === null || ad === undefined) return;
  phone.adLife = null;
  const { isRewarded, noAd } = await ad.show(fullscreenView(screenOfPhone));
  if (noAd !== null) await tellNoAd(noAd);
  else say(isRewarded ? 'closed, rewarded' : 'closed', 'good');
}

/** Says why there is no ad, and why each campaign was not shown where the operator's key may ask. */
async function tellNoAd(noAd: NoAd): Promise<void> {
  const unit = noAd.partnerAdUnitId === null ? '' : `; the app would use ${noAd.partnerAdUnitId}`;
  say(`no ad: ${noAd.noFill ?? noAd.error?.code ?? noAd.reason}${unit}`, 'bad');
  const chosenPlacement = placement();
  if (chosenPlacement === undefined) return;
  const lines = await explain(typed('key'), {
    app: element('known-app', HTMLSelectElement).value,
    placement: chosenPlacement.code,
    country: typed('country')?.toUpperCase(),
    language: typed('language'),
    androidVersion: typed('android'),
  });
  if (lines === null) return;
  const list = make('ul');
  for (const line of lines) list.append(make('li', line));
  element('outcome', HTMLParagraphElement).after(list);
}

function say(text: string, className = ''): void {
  const outcome = element('outcome', HTMLParagraphElement);
  if (outcome.nextElementSibling instanceof HTMLUListElement) outcome.nextElementSibling.remove();
  outcome.textContent = text;
  outcome.className = className;
}

/** Shows the state of the ad and how long session and ad still live. */
function tellTimes(): void {
  const session = phone?.placard.session;
  const state = adOf()?.state ?? '–';
  const rows: readonly (readonly [string, string])[] = [
    ['session', session ? `${secondsLeft(session.life)} s left` : '–'],
    ['configuration', session ? `kept ${session.config.config_ttl_seconds} s` : '–'],
    ['ad', state],
    ['ad expires in', phone?.adLife ? `${secondsLeft(phone.adLife)} s` : '–'],
  ];
  const facts = element('facts', HTMLDListElement);
  facts.replaceChildren(...rows.flatMap(([name, value]) => [make('dt', name), make('dd', value)]));
}

function secondsLeft(life: Span): number {
  return Math.round(leftMs(clock, life) / 1_000);
}
