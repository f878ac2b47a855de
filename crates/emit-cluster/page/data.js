// The data of the page.

export const DATA = JSON.parse(document.getElementById('data').textContent);
export const C = DATA.cluster;
