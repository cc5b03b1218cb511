export * from './index.js';
import * as fewer from './index.js';
export default fewer;
