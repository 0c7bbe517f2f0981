package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.Range;
import io.millrace.server.pipeline.ThrottledHandler;
import org.agrona.LangUtil;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * A stage that offers the events of its flow to other flows. Each of those flows has a {@link FeedSubscription}: a
 * queue of its own, with its own size, batch limit and {@link BackPressure}. The feed copies each event into an event
 * of that queue, so a slow flow keeps no event of this one. Under BLOCK the feed takes no event that one of its
 * subscriptions cannot take; no thread waits. Under every other policy a subscription never delays the feed.
 * <pre>
 *  flow "quotes"  source --&gt; ring --&gt; stage "book" --&gt; feed --copy--&gt; flow "fast", ring --&gt; stages
 *                                                       +----copy--&gt; flow "view", conflating --&gt; stages
 * </pre>
 * Give the object to one stage of a flow with a queue. Flows that subscribe are declared after that flow. The settings
 * are made before the launch.
 *
 * @param <E> type of the events.
 */
public final class Feed<E extends BasePoolAware> extends FeedFields<E> implements ThrottledHandler<E>
{
    /** Greatest number of routes. */
    public static final int MAX_ROUTES = 1_024;

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * Copies or transforms an event.
     *
     * @param <E> type of the event.
     * @param <D> type of the copy.
     */
    @FunctionalInterface
    public interface Copier<E, D>
    {
        /**
         * Called on the thread of the feed's agent. Must not allocate or block.
         *
         * @param from valid until this call returns; not changed.
         * @param into to fill; its fields have the values of its last use.
         * @throws Exception on failure; the error policy of the agent applies. The other subscriptions get the event.
         */
        void copy(E from, D into) throws Exception;
    }

    /**
     * A feed whose subscriptions get every event.
     *
     * @param name of the feed, for {@link FeedEvent#feed()} and for messages.
     */
    public Feed(final String name)
    {
        super(Names.check("feed", name), 1, null);
    }

    /**
     * A feed that routes: a subscription gets all events or those of one route.
     *
     * @param name    of the feed.
     * @param routes  number of routes, 1 to {@value #MAX_ROUTES}.
     * @param routeOf route of an event, 0 to {@code routes - 1}; an event with another route is counted in
     *                {@code STAGE.unrouted}. Must not allocate.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public Feed(final String name, final int routes, final ToIntFunction<? super E> routeOf)
    {
        super(Names.check("feed", name), Range.check("routes", routes, 1, MAX_ROUTES),
            Objects.requireNonNull(routeOf, "routeOf"));
    }

    /**
     * The time of the events, for {@link FeedEvent#eventTimeNs()}.
     *
     * @param newTimeOf time of an event, in nanoseconds; must not allocate.
     * @return this.
     */
    public Feed<E> eventTime(final ToLongFunction<? super E> newTimeOf)
    {
        timeOf = Objects.requireNonNull(newTimeOf, "timeOf");
        return this;
    }

    /**
     * Keep copies of the last events for subscriptions that join later: {@link FeedSubscription#withKept()}.
     *
     * @param count   number of events, at least 1.
     * @param factory creates an event to copy into: one more than that number.
     * @param copier  copies an event; if it throws, the event is not kept.
     * @return this.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public Feed<E> keepLast(
        final int count, final Supplier<? extends E> factory, final Copier<? super E, ? super E> copier)
    {
        kept = new KeptEvents<>(count, null, factory, copier);
        return this;
    }

    /**
     * Keep a copy of the last event of each key for subscriptions that join later.
     *
     * @param maxKeys greatest number of keys, at least 1; an event of a further key is not kept, and counted in
     *                {@code STAGE.unkept}.
     * @param keyOf   the key of an event; must not allocate.
     * @param factory creates an event to copy into: one more than that number.
     * @param copier  copies all fields of an event: the one to fill may have had another key. If it throws, the event
     *                of its key that was kept before stays.
     * @return this.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public Feed<E> keepLastByKey(
        final int maxKeys,
        final ToLongFunction<? super E> keyOf,
        final Supplier<? extends E> factory,
        final Copier<? super E, ? super E> copier)
    {
        kept = new KeptEvents<>(maxKeys, Objects.requireNonNull(keyOf, "keyOf"), factory, copier);
        return this;
    }

    /**
     * A subscription of one flow to all events, for {@link Flow.Start#from(Supplier, int, FeedSubscription[])}.
     *
     * @param copier copies or transforms an event.
     * @param <D>    type of the flow's events.
     * @return the subscription.
     */
    public <D extends BasePoolAware> FeedSubscription<E, D> subscribe(final Copier<? super E, ? super D> copier)
    {
        return new FeedSubscription<>(this, FeedSubscription.ALL_ROUTES, copier);
    }

    /**
     * A subscription of one flow to the events of one route.
     *
     * @param route  0 to the number of routes - 1.
     * @param copier copies or transforms an event.
     * @param <D>    type of the flow's events.
     * @return the subscription.
     * @throws IllegalArgumentException if the feed does not have the route.
     */
    public <D extends BasePoolAware> FeedSubscription<E, D> subscribe(
        final int route, final Copier<? super E, ? super D> copier)
    {
        if (route < 0 || route >= routes.length)
        {
            throw new IllegalArgumentException("route " + route + " of feed '" + name + "' is not in 0.." +
                (routes.length - 1));
        }
        return new FeedSubscription<>(this, route, copier);
    }

    /** @return name of the feed. */
    public String name()
    {
        return name;
    }

    /**
     * Called by its agent: greatest number of events that every subscription under BLOCK can take.
     *
     * @return number of events.
     */
    @Override
    public int demand()
    {
        final FeedSubscription<E, ?>[] all = blocking;
        int demand = Integer.MAX_VALUE;
        for (int i = 0; i < all.length; i++)
        {
            demand = Math.min(demand, all[i].demand());
        }
        return demand;
    }

    @Override
    public void onStart()
    {
        if (kept != null)
        {
            kept.clear();
        }
    }

    /**
     * Called by its agent. If a copier throws, the other subscriptions get the event nevertheless.
     */
    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
    {
        final int route = routeOf(event);
        final FeedSubscription<E, ?>[] all = route < 0 || route >= routes.length ? none : routes[route];
        if (all.length == 0)
        {
            unrouted.addOpaque(1);
        }
        Throwable failure = null;
        for (int i = 0; i < all.length; i++)
        {
            try
            {
                all[i].relay(event, sequence);
            }
            catch (final Throwable ex)
            {
                failure = Failures.first(failure, ex);
            }
        }
        try
        {
            if (kept != null)
            {
                kept.keep(this, event, sequence);
            }
        }
        catch (final Throwable ex)
        {
            failure = Failures.first(failure, ex);
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
    }

    int routeOf(final E event)
    {
        return routeOf == null ? 0 : routeOf.applyAsInt(event);
    }

    long timeOf(final E event)
    {
        return timeOf != null ? timeOf.applyAsLong(event) :
            event instanceof FeedEvent ? ((FeedEvent)event).eventTimeNs() : 0;
    }

    /** Before the start, or on the agent's thread between two polls. */
    void add(final FeedSubscription<E, ?> subscription)
    {
        subscriptions.add(subscription);
        selectRoutes();
    }

    /** At run time, on the agent's thread between two polls: offer the kept events, then all later ones. */
    void join(final FeedSubscription<E, ?> subscription) throws Exception
    {
        if (subscription.wantsKept())
        {
            kept.offerTo(this, subscription);
        }
        add(subscription);
    }

    /** On the agent's thread between two polls. No effect if it has not joined. */
    void leave(final FeedSubscription<?, ?> subscription)
    {
        subscriptions.remove(subscription);
        selectRoutes();
    }

    private void selectRoutes()
    {
        for (int i = 0; i < routes.length; i++)
        {
            final int route = i;
            routes[i] = select(subscription -> subscription.takes(route));
        }
        blocking = select(FeedSubscription::isBlocking);
    }

    @SuppressWarnings("unchecked")
    private FeedSubscription<E, ?>[] select(final Predicate<FeedSubscription<E, ?>> test)
    {
        return subscriptions.stream().filter(test).toArray(FeedSubscription[]::new);
    }

    /** Names of the flows that have subscribed. Any thread. */
    List<String> subscribers()
    {
        final List<String> names = new ArrayList<>();
        subscriptions.forEach(each -> names.add(each.flow()));
        return names;
    }

    /** Null if none are kept. */
    KeptEvents<E> kept()
    {
        return kept;
    }

    /** Before the start: the counts begin at 0, the subscriptions follow. Those of an earlier start are not kept. */
    void count(final Counters counters, final String stage)
    {
        subscriptions.clear();
        selectRoutes();
        unrouted.setOpaque(0);
        if (kept != null)
        {
            kept.clear();
        }
        counters.tagged("stage", stage)
            .counter(stage + ".unrouted", "events", "events of the feed that no subscription takes",
                unrouted::getOpaque)
            .counter(stage + ".unkept", "events", "events of the feed that are not kept: their keys are too many",
                () -> kept == null ? 0 : kept.unkept());
    }
}

/** Read by the agent for each event, so padded. */
abstract class FeedFields<E extends BasePoolAware> extends Padding
{
    final String name;
    final ToIntFunction<? super E> routeOf;
    /** For each route its subscriptions. */
    final FeedSubscription<E, ?>[][] routes;
    final FeedSubscription<E, ?>[] none;
    FeedSubscription<E, ?>[] blocking;
    ToLongFunction<? super E> timeOf;
    KeptEvents<E> kept;
    /** Changed by one thread at a time. */
    final List<FeedSubscription<E, ?>> subscriptions = new CopyOnWriteArrayList<>();
    final PaddedLong unrouted = new PaddedLong(0);

    @SuppressWarnings({"unchecked", "rawtypes"})
    FeedFields(final String name, final int routes, final ToIntFunction<? super E> routeOf)
    {
        this.name = name;
        this.routeOf = routeOf;
        this.routes = new FeedSubscription[routes][];
        none = new FeedSubscription[0];
        blocking = none;
        Arrays.fill(this.routes, none);
    }
}
