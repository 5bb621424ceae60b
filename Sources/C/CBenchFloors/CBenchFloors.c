#include "CBenchFloors.h"

#include <cairo/cairo-pdf.h>
#include <qrencode.h>

int clup_floor_qr(const char *text) {
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    if (!code) return -1;
    QRcode_free(code);
    return 0;
}

static cairo_status_t count(void *bytes, const unsigned char *data, unsigned int length) {
    (void)data;
    *(long *)bytes += length;
    return CAIRO_STATUS_SUCCESS;
}

long clup_floor_empty_pdf(double width, double height) {
    long bytes = 0;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(count, &bytes, width, height);
    cairo_t *cairo = cairo_create(surface);
    cairo_show_page(cairo);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? bytes : -1;
}
