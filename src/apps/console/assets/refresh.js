// Marks a part of a page that updates itself as stale after two failed updates, so that old numbers do not look new (choice
// C14).

/** Failed updates of a part since the last successful one. */
const failures = new WeakMap();

function fail({ target }) {
  const count = (failures.get(target) ?? 0) + 1;
  failures.set(target, count);
  // The next successful update hides it again, because the service sends it hidden.
  if (count >= 2) target.querySelector?.('.stale')?.removeAttribute('hidden');
}

document.addEventListener('htmx:error', fail);
document.addEventListener('htmx:response:error', fail);
document.addEventListener('htmx:after:request', ({ target, detail }) => {
  if (detail.ctx.response.status < 400) failures.delete(target);
});
