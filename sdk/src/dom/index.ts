export { bannerView, type BannerViewOptions } from './banner-view.js';
export { fullscreenView, type FullscreenViewOptions } from './fullscreen-view.js';
