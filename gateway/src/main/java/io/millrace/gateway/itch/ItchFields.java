package io.millrace.gateway.itch;

import java.util.ArrayList;
import java.util.List;

/**
 * Fields of every message type by name, for tools and diagnosis: names, offsets and values. {@link ItchMessage} reads
 * the fields of orders faster. Names are those of the specification. Allocates; any thread.
 */
public final class ItchFields
{
    /**
     * A field behind the header.
     *
     * @param name   as in the specification.
     * @param offset in the message.
     * @param size   1, 2, 4 or 8 bytes.
     * @param isText whether the bytes are ASCII, the first one first, padded right with spaces.
     */
    public record Field(String name, int offset, int size, boolean isText)
    {
    }

    /** Type, then each field with its size; a colon means text. */
    private static final List<String> LAYOUT = List.of(
        "S eventCode:1",
        "R stock:8 marketCategory:1 financialStatusIndicator:1 roundLotSize.4 roundLotsOnly:1 " +
            "issueClassification:1 issueSubType:2 authenticity:1 shortSaleThresholdIndicator:1 ipoFlag:1 " +
            "luldReferencePriceTier:1 etpFlag:1 etpLeverageFactor.4 inverseIndicator:1",
        "H stock:8 tradingState:1 reserved:1 reason:4",
        "Y stock:8 regSHOAction:1",
        "L mpid:4 stock:8 primaryMarketMaker:1 marketMakerMode:1 marketParticipantState:1",
        "V level1.8 level2.8 level3.8",
        "W breachedLevel:1",
        "K stock:8 ipoQuotationReleaseTime.4 ipoQuotationReleaseQualifier:1 ipoPrice.4",
        "J stock:8 auctionCollarReferencePrice.4 upperAuctionCollarPrice.4 lowerAuctionCollarPrice.4 " +
            "auctionCollarExtension.4",
        "h stock:8 marketCode:1 operationalHaltAction:1",
        "A orderReferenceNumber.8 buySellIndicator:1 shares.4 stock:8 price.4",
        "F orderReferenceNumber.8 buySellIndicator:1 shares.4 stock:8 price.4 attribution:4",
        "E orderReferenceNumber.8 executedShares.4 matchNumber.8",
        "C orderReferenceNumber.8 executedShares.4 matchNumber.8 printable:1 executionPrice.4",
        "X orderReferenceNumber.8 canceledShares.4",
        "D orderReferenceNumber.8",
        "U originalOrderReferenceNumber.8 newOrderReferenceNumber.8 shares.4 price.4",
        "P orderReferenceNumber.8 buySellIndicator:1 shares.4 stock:8 price.4 matchNumber.8",
        "Q shares.8 stock:8 crossPrice.4 matchNumber.8 crossType:1",
        "B matchNumber.8",
        "I pairedShares.8 imbalanceShares.8 imbalanceDirection:1 stock:8 farPrice.4 nearPrice.4 " +
            "currentReferencePrice.4 crossType:1 priceVariationIndicator:1",
        "N stock:8 interestFlag:1",
        "O stock:8 openEligibilityStatus:1 minimumAllowablePrice.4 maximumAllowablePrice.4 nearExecutionPrice.4 " +
            "nearExecutionTime.8 lowerPriceRangeCollar.4 upperPriceRangeCollar.4");
    private static final List<List<Field>> FIELDS = fields();

    private ItchFields()
    {
    }

    private static List<List<Field>> fields()
    {
        final List<List<Field>> all = new ArrayList<>();
        for (int i = 0; i < 256; i++)
        {
            all.add(List.of());
        }
        for (final String line : LAYOUT)
        {
            final String[] words = line.split(" ");
            final List<Field> fields = new ArrayList<>();
            int offset = ItchDescriptor.BODY_OFFSET;
            for (int i = 1; i < words.length; i++)
            {
                final int end = words[i].length() - 2;
                final int size = words[i].charAt(end + 1) - '0';
                fields.add(new Field(words[i].substring(0, end), offset, size, words[i].charAt(end) == ':'));
                offset += size;
            }
            all.set(words[0].charAt(0), List.copyOf(fields));
        }
        return List.copyOf(all);
    }

    /**
     * Fields of a type, without the header.
     *
     * @param type any byte.
     * @return in the order of the message; empty if there is no such type.
     */
    public static List<Field> of(final byte type)
    {
        return FIELDS.get(type & 0xFF);
    }

    /**
     * Value of a field.
     *
     * @param message of a type that has the field.
     * @param field   see {@link #of}.
     * @return its bytes as a big-endian number; 8 bytes may be negative, which means 2^63 and more.
     */
    public static long value(final ItchMessage message, final Field field)
    {
        long value = 0;
        for (int i = 0; i < field.size(); i++)
        {
            value = value << Byte.SIZE | message.bytes()[message.offset() + field.offset() + i] & 0xFF;
        }
        return value;
    }

    /**
     * A message for people.
     *
     * @param message of any type.
     * @return such as {@code D locate=5 tracking=0 time=34200000000000 orderReferenceNumber=17}.
     */
    public static String describe(final ItchMessage message)
    {
        final StringBuilder text = new StringBuilder().append((char)message.type())
            .append(" locate=").append(message.stockLocate()).append(" tracking=").append(message.trackingNumber())
            .append(" time=").append(message.timeNs());
        for (final Field field : of(message.type()))
        {
            text.append(' ').append(field.name()).append('=');
            if (!field.isText())
            {
                text.append(Long.toUnsignedString(value(message, field)));
            }
            for (int i = 0; i < field.size() && field.isText(); i++)
            {
                final int c = message.bytes()[message.offset() + field.offset() + i] & 0xFF;
                text.append(c > ' ' && c < 127 ? String.valueOf((char)c) : c == ' ' ? "" : "?");
            }
        }
        return text.toString();
    }
}
