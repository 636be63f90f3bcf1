/** Everything that needs the map library, as one script that is loaded when a map comes into view. */
export { createLocationPicker, locationChanged } from './location-picker.ts';
export { createPortalMap } from './portal-map.ts';
export { showShops } from './shop-layer.ts';
export { showSites } from './site-layer.ts';
