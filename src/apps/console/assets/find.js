// The key / leads to the box that finds, unless somebody is writing, or has switched it off: the page then does not name it.

document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (key !== '/' || altKey || ctrlKey || metaKey) return;
  if (target.isContentEditable || target.matches('input, select, textarea')) return;
  const box = document.querySelector('#find[aria-keyshortcuts]');
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
