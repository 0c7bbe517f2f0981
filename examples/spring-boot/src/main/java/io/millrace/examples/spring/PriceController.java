package io.millrace.examples.spring;

import io.millrace.server.InVmSource;
import io.millrace.server.Requests;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import java.util.concurrent.TimeUnit;

/** Publishes prices, and asks for the highest one. Every web thread may do both at any time. */
@RestController
class PriceController
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final InVmSource<PriceEvent> prices;
    private final Requests<HighestPrices.Answer> requests;

    PriceController(final InVmSource<PriceEvent> prices, final Requests<HighestPrices.Answer> requests)
    {
        this.prices = prices;
        this.requests = requests;
    }

    @PostMapping("/prices/{symbol}")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void publish(@PathVariable("symbol") final int symbol, @RequestParam("cents") final long cents)
    {
        if (symbol < 0 || symbol >= HighestPrices.SYMBOLS || cents < 1)
        {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
                "symbol " + symbol + " is not in 0.." + (HighestPrices.SYMBOLS - 1) + ", or cents are below 1");
        }
        if (!publish(symbol, cents, Requests.NONE))
        {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "the queue is full, or the server stops");
        }
    }

    @GetMapping("/prices/{symbol}/highest")
    long highest(@PathVariable("symbol") final int symbol)
    {
        if (symbol < 0 || symbol >= HighestPrices.SYMBOLS)
        {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        final long correlation = requests.open(TIMEOUT_NS);
        if (correlation == Requests.NONE)
        {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "too many open requests");
        }
        try
        {
            if (!publish(symbol, 0, correlation))
            {
                throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
                    "the queue is full, or the server stops");
            }
            final HighestPrices.Answer answer = requests.await(correlation);
            if (answer == null)
            {
                throw new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT);
            }
            return answer.cents;
        }
        finally
        {
            requests.close(correlation);
        }
    }

    /** False if the queue is full or the server does not run. */
    private boolean publish(final int symbol, final long cents, final long correlation)
    {
        final PriceEvent event = prices.claim();
        if (event == null)
        {
            return false;
        }
        event.symbol = symbol;
        event.cents = cents;
        event.correlation = correlation;
        return prices.publish(event);
    }
}
