package io.millrace.gateway.bbo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats once more, as slowly and as plainly as possible. */
final class NaiveDecoders
{
    private static final Pattern SYMBOL = Pattern.compile("[!-~]{1,8} *");
    private static final Pattern LINE = Pattern.compile(
        "\\[BBO:(.{8})\\]Bid:0x(\\p{XDigit}{8}) \\(0x\\p{XDigit}{8}\\) \\| " +
        "Ask:0x(\\p{XDigit}{8}) \\(0x\\p{XDigit}{8}\\) \\| Spr:0x(\\p{XDigit}{8})", Pattern.DOTALL);

    private NaiveDecoders()
    {
    }

    static boolean isPacket(final byte[] payload)
    {
        if (payload.length < 28)
        {
            return false;
        }
        final byte[] last60 = Arrays.copyOfRange(payload, Math.max(0, payload.length - 60), payload.length);
        if (last60.length == 60 && new String(last60, 0, 4, StandardCharsets.ISO_8859_1).equals("MBBO"))
        {
            final ByteBuffer header = ByteBuffer.wrap(last60);
            if (header.getShort(4) != 1 || header.getShort(6) != 0 || header.getLong(8) == 0)
            {
                return false;
            }
        }
        final ByteBuffer quote = ByteBuffer.wrap(payload, payload.length - 28, 28).slice();
        return isQuote(new String(payload, payload.length - 8, 8, StandardCharsets.ISO_8859_1),
            quote.getInt(16), quote.getInt(8), quote.getInt(0));
    }

    static boolean isLine(final byte[] line)
    {
        final String text = new String(line, StandardCharsets.ISO_8859_1).replaceFirst("\r?\n?\\z", "");
        final Matcher matcher = LINE.matcher(text);
        return text.equals("[BBO:NODATA  ]") || matcher.matches() && isQuote(matcher.group(1),
            Integer.parseUnsignedInt(matcher.group(2), 16), Integer.parseUnsignedInt(matcher.group(3), 16),
            Integer.parseUnsignedInt(matcher.group(4), 16));
    }

    private static boolean isQuote(final String symbol, final int bidPrice, final int askPrice, final int spread)
    {
        return SYMBOL.matcher(symbol).matches() && bidPrice >= 0 && askPrice >= 0 &&
            (bidPrice == 0 || askPrice == 0 || askPrice < bidPrice || spread == askPrice - bidPrice);
    }
}
