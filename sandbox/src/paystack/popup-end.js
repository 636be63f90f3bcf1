const end = document.getElementById('popup-end');
const { shop, event, id, reference } = end.dataset;
window.parent.postMessage({ from: 'paystack-sandbox', event, id: Number(id), reference }, shop);
