/** The map's own colours: it is drawn on a canvas, where the page's CSS tokens do not apply. */
export interface MapPalette {
  water: string;
  waterText: string;
  coast: string;
  land: string;
  border: string;
  road: string;
  roadEdge: string;
  mainRoad: string;
  mainRoadEdge: string;
  text: string;
  regionText: string;
  halo: string;
  dot: string;
  sign: string;
  signText: string;
}

export const lightMap: MapPalette = {
  water: '#cfe4ef',
  waterText: '#2f6784',
  coast: '#8db9cf',
  land: '#f7f3ea',
  border: '#b9aec4',
  road: '#ffffff',
  roadEdge: '#c9c0b3',
  mainRoad: '#ffd9a8',
  mainRoadEdge: '#d99a55',
  text: '#24222f',
  regionText: '#7a6f8c',
  halo: '#fbf8f2',
  dot: '#24222f',
  sign: '#fff6e6',
  signText: '#7a4b00',
};

export const darkMap: MapPalette = {
  water: '#10202c',
  waterText: '#7fb2cc',
  coast: '#31566b',
  land: '#23212d',
  border: '#56506a',
  road: '#4a4557',
  roadEdge: '#15141b',
  mainRoad: '#7d5a35',
  mainRoadEdge: '#15141b',
  text: '#eceaf3',
  regionText: '#9a93ad',
  halo: '#1a1922',
  dot: '#eceaf3',
  sign: '#3a2a08',
  signText: '#f5c65d',
};
