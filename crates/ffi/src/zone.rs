//! Local time.

use fewer::Zone;

use crate::boundary::{array, array_mut, borrow, close, guard};

/// `fewer_civil`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CCivil {
    pub(crate) year: i64,
    pub(crate) offset_seconds: i32,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    pub(crate) weekday: u8,
    pub(crate) yearday: u16,
    pub(crate) reserved: u32,
}

#[unsafe(no_mangle)]
pub extern "C" fn fewer_zone_open() -> *mut Zone {
    guard(std::ptr::null_mut(), || Box::into_raw(Box::new(Zone::local())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_zone_convert(
    zone: *const Zone,
    seconds: *const i64,
    count: usize,
    civil: *mut CCivil,
) {
    guard((), || {
        // SAFETY: all of it is as the header says.
        let arguments = unsafe { (borrow(zone), array(seconds, count), array_mut(civil, count)) };
        // There is no other failure than missing memory for the results.
        let (Ok(zone), Ok(seconds), Ok(places)) = arguments else { return };
        let mut clock = zone.clock();
        for (place, seconds) in places.iter_mut().zip(seconds) {
            let civil = clock.civil(*seconds);
            place.write(CCivil {
                year: civil.year,
                offset_seconds: civil.offset,
                month: civil.month,
                day: civil.day,
                hour: civil.hour,
                minute: civil.minute,
                second: civil.second,
                weekday: civil.weekday,
                yearday: civil.yearday,
                reserved: 0,
            });
        }
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_zone_close(zone: *mut Zone) {
    // SAFETY: it came from fewer_zone_open.
    unsafe { close(zone) };
}
