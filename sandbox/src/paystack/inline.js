(() => {
  const checkout = new URL('checkout/', document.currentScript.src);

  /** The frame over the page, on which the customer pays; removed when the payment ends either way. */
  function openFrame(accessCode) {
    const address = new URL(encodeURIComponent(accessCode), checkout);
    address.searchParams.set('shop', window.location.origin);
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = 'Paystack checkout';
    frame.allow = 'payment';
    Object.assign(frame.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      border: '0',
      zIndex: '2147483647',
      background: 'rgb(0 0 0 / 60%)',
    });
    document.body.append(frame);
    frame.focus();
    return frame;
  }

  window.PaystackPop = class PaystackPop {
    resumeTransaction(accessCode, callbacks = {}) {
      const frame = openFrame(accessCode);
      frame.addEventListener('load', () => callbacks.onLoad?.({ accessCode }), { once: true });

      const listen = (message) => {
        if (message.origin !== checkout.origin || message.source !== frame.contentWindow) return;
        const { from, event, id, reference } = message.data ?? {};
        if (from !== 'paystack-sandbox') return;
        window.removeEventListener('message', listen);
        frame.remove();
        if (event === 'success') {
          const number = String(id);
          const status = 'success';
          callbacks.onSuccess?.({ id, reference, message: 'Approved', status, trans: number, trxref: reference });
        } else if (event === 'cancel') callbacks.onCancel?.();
        else callbacks.onError?.({ message: 'The payment was not found.' });
      };
      window.addEventListener('message', listen);
    }
  };
})();
