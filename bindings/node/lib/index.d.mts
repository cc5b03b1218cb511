export * from './index.js';
export { default } from './default.js';
