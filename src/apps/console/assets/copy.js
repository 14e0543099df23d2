// Buttons that copy the text of an element. Without this script they are hidden.

for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  button.addEventListener('click', async () => {
    // Without TLS scripts have no clipboard, but the browser can copy the selection.
    getSelection().selectAllChildren(source);
    if (navigator.clipboard) await navigator.clipboard.writeText(source.textContent);
    else document.execCommand('copy');
    button.textContent = 'Copied';
  });
  button.hidden = false;
}
