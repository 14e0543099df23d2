import { testCrashes } from '../support/crashes.js';

describe('an import request that is repeated until it is answered', () => {
  testCrashes({ requestsBetween: 15, isOver: () => true });
});
