import type { Attention } from '../progress/attention.js';
import type { Progress } from '../progress/progress.types.js';
import type { Viewer } from '../viewers/viewer.js';

/** What the overview shows. */
export interface Overview extends Progress {
  readonly viewer: Viewer['kind'];
  readonly attention: readonly Attention[];
}
